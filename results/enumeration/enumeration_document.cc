#include "results/enumeration/enumeration_document.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "datasets/exhaustive/value_sketch.h"
#include "results/document/cell_text.h"
#include "results/document/number_text.h"
#include "results/enumeration/enumeration_figures.h"
#include "results/simulation/shown_problem.h"
#include "support/joined.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using datasets::Enumeration;
using scenarios::Direction;

std::string metric(const Enumeration& of, double value) { return metric_text(of.objective, value); }

/// Shares below a tenth of a per cent keep two digits: "0.0031 %".
std::string small_percent(double share) {
  constexpr double shown_plainly = 0.001;
  if (share == 0.0 || share >= shown_plainly) return percent(share);
  double digits = 100.0 * share;
  int places = 1;
  for (; digits < 1.0; digits *= 10.0) ++places;
  return fixed(100.0 * share, places) + " %";
}

std::string headline(const Enumeration& of, bool measured) {
  std::string text = of.scenario;
  if (of.instance != 0) text += ", instance " + std::to_string(of.instance);
  if (!of.salt_sha256.empty()) text += ", sealed by the salt with SHA-256 " + of.salt_sha256;
  const std::string all = counted(of.configurations, "configuration", "configurations");
  text += of.exhaustive
              ? ": all " + all + " evaluated. "
              : ": " + grouped(of.valued) + " of " + all + " evaluated, the others bounded. ";
  return text + objective_sentence(of.objective, measured || !of.baseline.stated);
}

/// Nothing where not all were valued.
Table outcome_table(const Enumeration& of) {
  Table table{.columns = {{"outcome", "outcome"},
                          {"configurations", "configurations", Show::count},
                          {"share", "share", Show::figure}}};
  if (!of.exhaustive) return table;
  const auto add = [&](std::string_view name, std::uint64_t count) {
    const double share = static_cast<double>(count) / static_cast<double>(of.configurations);
    table.rows.push_back({name, count, small_percent(share)});
  };
  std::uint64_t running = of.configurations;
  for (const auto& [reason, count] : of.failures) running -= count;
  add("runs", running);
  for (const auto& [reason, count] : of.failures) add(name_of(reason), count);
  return table;
}

Table rejected_table(const Enumeration& of) {
  Table table{.columns = {{"name", "rejected by"}, {"assignments", "assignments", Show::count}}};
  for (const auto& [name, count] : of.rejected_by) table.rows.push_back({name, count});
  return table;
}

/// The value that a share of those that run is worse than.
double quantile(const Enumeration& of, double share) {
  if (of.objective.direction == Direction::minimize) share = 1.0 - share;
  const double steps = static_cast<double>(datasets::quantile_count - 1);
  return of.quantiles[static_cast<std::size_t>(share * steps + 0.5)];
}

/// Places in the distribution, and how far each is from the optimum; nothing where none runs.
Table value_table(const Enumeration& of) {
  Table table;
  if (!of.optimum || of.optimum->count == 0) return table;
  const double best = of.optimum->value;
  const bool certified = of.optimum->certified;
  table.columns = {{"name", "configuration"},
                   {"value", "objective", Show::figure},
                   {"of_best", certified ? "of the optimum" : "of the best found", Show::figure}};
  const auto add = [&](std::string name, double value) {
    const double share =
        of.objective.direction == Direction::maximize ? value / best : best / value;
    table.rows.push_back({std::move(name), metric(of, value),
                          std::isfinite(share) ? Cell(fixed(share, 4)) : Cell()});
  };
  add(certified ? "optimum" : "best found", best);
  if (of.baseline.value) add("baseline", *of.baseline.value);
  if (!of.quantiles.empty()) {
    for (const double better : {0.01, 0.1, 0.25, 0.5, 0.75, 0.9}) {
      add(better == 0.5 ? "median of those that run"
                        : fixed(100.0 * better, 0) + " % of those that run are better",
          quantile(of, 1.0 - better));
    }
  }
  for (const std::size_t k : {1U, 10U, 100U, 300U}) {
    if (of.best_of_k.size() < k) continue;
    add("best of " + std::to_string(k) + " drawn at random",
        of.best_of_k[k - 1].without_replacement);
  }
  return table;
}

std::string baseline_sentence(const Enumeration& of) {
  if (!of.baseline.stated) return "The table states no baseline.";
  if (!of.baseline.value) return "There is no baseline that runs.";
  if (!of.baseline.share_better) return "";
  return "Better than the baseline: " + small_percent(*of.baseline.share_better) + " of all.";
}

std::string optimum_sentence(const Enumeration& of) {
  if (!of.optimum) return "No configuration runs.";
  const datasets::Optimum& optimum = *of.optimum;
  const bool cut_short = !optimum.certified;
  std::string text = cut_short ? "Not certified: the search ended at its limit. " : "";
  if (optimum.count == 0) {
    text += "Nothing was found that runs";
  } else {
    text += (cut_short ? "Best found: " : "Optimum, certified: ") + metric(of, optimum.value) +
            ", reached by " + counted(optimum.count, "configuration", "configurations");
  }
  if (!cut_short) return text + ".";
  if (!std::isfinite(optimum.bound)) return text + "; no bound on the others is known.";
  return text +
         (of.objective.direction == Direction::maximize ? "; none is above " : "; none is below ") +
         metric(of, optimum.bound) + ".";
}

/// The settings of the optimum as a command line has them: JSON texts without quotes.
scenarios::ConfigText optimum_settings(const Enumeration& of) {
  scenarios::ConfigText settings = of.optimum->configs.front();
  for (auto& [name, value] : settings) {
    if (value.starts_with('"')) value = value.substr(1, value.size() - 2);
  }
  return settings;
}

std::string joined_settings(const scenarios::ConfigText& settings) {
  return support::joined(settings, ", ", [](const auto& of) { return of.first + " " + of.second; });
}

/// How much better than the baseline the optimum is, and how rare that is; "" where nothing runs.
std::string finding_of(const Enumeration& of) {
  if (!of.optimum || of.optimum->count == 0) return "";
  std::string text = optimum_sentence(of);
  text.pop_back();
  if (of.baseline.value) {
    const double best = of.optimum->value;
    const double base = *of.baseline.value;
    text += ": " +
            signed_percent(of.objective.direction == Direction::maximize ? best / base - 1.0
                                                                         : base / best - 1.0) +
            " against the baseline";
  }
  text += ".";
  if (of.best_of_k.empty()) return text;
  const datasets::BestOfK& random = of.best_of_k.back();
  text += of.baseline.share_better ? " " + small_percent(*of.baseline.share_better) +
                                         " of all configurations beat the baseline, and the"
                                   : " The";
  return text + " best of " + counted(random.k, "random draw", "random draws") + " is " +
         metric(of, random.without_replacement) + " on average.";
}

/// What a page begins with.
void add_page_head(const Enumeration& of, Document& document) {
  document.add(Paragraph{finding_of(of)}, Media::html);
  document.add(value_table(of), Media::html);
  if (!of.quantiles.empty()) {
    document.add(Heading{.text = "How values are distributed", .id = "values"}, Media::html);
    document.add(distribution_drawing(of), Media::html);
  }
  if (!of.best_of_k.empty() && !of.quantiles.empty()) {
    document.add(Heading{.text = "What random search finds, exactly", .id = "random-search"},
                 Media::html);
    document.add(random_drawing(of), Media::html);
  }
}

void add_origin(const Enumeration& of, const std::string& command, Document& document) {
  if (command.empty()) return;
  document.add(Heading{.text = "How to make this again", .id = "origin"}, Media::html);
  document.add(Command{command}, Media::html);
  document.add(Paragraph{"The same version gives the same bytes. Page by cubicbench " +
                         support::own_version() + "; SHA-256 of the scenario " +
                         of.scenario_sha256 + ", of its truth " + of.truth_sha256 + "."},
               Media::html);
}

}  // namespace

Document enumeration_document(const Enumeration& of, const std::optional<AskedProblem>& asked,
                              bool measured, const std::string& command) {
  Document document{.title = "Every configuration of " + of.scenario, .contents = true};
  document.add(Paragraph{headline(of, measured)});
  add_page_head(of, document);
  document.add(Heading{.text = "What runs, and what constraints reject", .id = "outcomes"},
               Media::html);
  document.add(outcome_table(of));
  document.add(rejected_table(of));
  // A page has it at its head.
  for (const Media media : {Media::terminal, Media::markdown}) document.add(value_table(of), media);
  document.add(Paragraph{baseline_sentence(of)});
  document.add(Heading{.text = "The optimum", .id = "optimum"}, Media::html);
  document.add(Paragraph{optimum_sentence(of)});
  if (of.optimum && !of.optimum->configs.empty()) {
    const scenarios::ConfigText settings = optimum_settings(of);
    if (asked && !measured) {
      document.add(Command{simulate_command(*asked, settings)});
    } else {
      document.add(Paragraph{joined_settings(settings)});
    }
  }
  if (of.sketched) {
    document.add(Paragraph{
        "Quantiles and the best of random draws are computed from rounded values. They are worse "
        "than the exact ones by less than one part in " +
        std::to_string(1 << datasets::ValueSketch::digits) + "."});
  }
  if (!of.exhaustive) {
    document.add(
        Paragraph{"Shares of failures, quantiles and the best of random draws need every value; "
                  "--all computes them."});
  }
  add_origin(of, command, document);
  return document;
}

}  // namespace cubicbench::results
