#include "results/enumeration/enumeration_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "results/layout/columns.h"
#include "results/document/number_text.h"
#include "results/document/paragraph.h"
#include "results/simulation/objective_text.h"
#include "results/studies/study_commands.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using datasets::Enumeration;
using scenarios::Direction;
using Row = std::vector<std::string>;

std::string metric(const Enumeration& of, double value) {
  return metric_text(of.objective.metric, value);
}

/// Shares below a tenth of a per cent keep two digits: "0.0031 %".
std::string small_percent(double share) {
  constexpr double shown_plainly = 0.001;
  if (share == 0.0 || share >= shown_plainly) return percent(share);
  double digits = 100.0 * share;
  int places = 1;
  for (; digits < 1.0; digits *= 10.0) ++places;
  return fixed(100.0 * share, places) + " %";
}

std::string share_text(std::uint64_t part, std::uint64_t all) {
  return small_percent(static_cast<double>(part) / static_cast<double>(all));
}

std::uint64_t running(const Enumeration& of) {
  std::uint64_t count = of.configurations;
  for (const auto& [reason, failed] : of.failures) count -= failed;
  return count;
}

std::string headline(const Enumeration& of, bool measured) {
  std::string text = of.scenario;
  if (of.instance != 0) text += ", instance " + std::to_string(of.instance);
  if (!of.salt_sha256.empty()) text += ", sealed by the salt with SHA-256 " + of.salt_sha256;
  const std::string all = counted(of.configurations, "configuration", "configurations");
  text += of.exhaustive
              ? ": all " + all + " valued."
              : ": " + grouped(of.valued) + " of " + all + " valued, the others by bounds.";
  text += " Objective: " + std::string(name_of(of.objective.direction)) + " " +
          std::string(name_of(of.objective.metric)) + ", ";
  return text + (measured ? "the mean over the measured runs of a configuration."
                          : percentile_text(of.objective.percentile) +
                                " over the steps of a run, without noise.");
}

std::string outcome_table(const Enumeration& of) {
  std::vector<Row> rows{{"outcome", "configurations", "share"}};
  rows.push_back({"runs", grouped(running(of)), share_text(running(of), of.configurations)});
  for (const auto& [reason, count] : of.failures) {
    rows.push_back(
        {std::string(name_of(reason)), grouped(count), share_text(count, of.configurations)});
  }
  return columns_text(rows);
}

std::string rejected_table(const Enumeration& of) {
  std::vector<Row> rows{{"rejected by", "assignments"}};
  for (const auto& [name, count] : of.rejected_by) rows.push_back({name, grouped(count)});
  return columns_text(rows);
}

Row value_row(const Enumeration& of, std::string name, double value) {
  const double best = of.optimum->value;
  const double share = of.objective.direction == Direction::maximize ? value / best : best / value;
  return {std::move(name), metric(of, value), std::isfinite(share) ? fixed(share, 4) : "-"};
}

/// The value that a share of those that run is worse than.
double quantile(const Enumeration& of, double share) {
  if (of.objective.direction == Direction::minimize) share = 1.0 - share;
  const double steps = static_cast<double>(datasets::quantile_count - 1);
  return of.quantiles[static_cast<std::size_t>(share * steps + 0.5)];
}

std::string value_table(const Enumeration& of) {
  std::vector<Row> rows{
      {"", "objective", of.optimum->certified ? "of the optimum" : "of the best found"}};
  rows.push_back(
      value_row(of, of.optimum->certified ? "optimum" : "best found", of.optimum->value));
  if (of.baseline.value) rows.push_back(value_row(of, "baseline", *of.baseline.value));
  if (!of.quantiles.empty()) {
    for (const double better : {0.01, 0.1, 0.25, 0.5, 0.75, 0.9}) {
      rows.push_back(value_row(of,
                               better == 0.5 ? "median of those that run"
                                             : fixed(100.0 * better, 0) + " % of them are better",
                               quantile(of, 1.0 - better)));
    }
  }
  for (const std::size_t k : {1U, 10U, 100U, 300U}) {
    if (of.best_of_k.size() < k) continue;
    rows.push_back(value_row(of, "best of " + std::to_string(k) + " drawn at random",
                             of.best_of_k[k - 1].without_replacement));
  }
  return columns_text(rows);
}

std::string optimum_sentence(const Enumeration& of) {
  const datasets::Optimum& optimum = *of.optimum;
  const bool cut_short = !optimum.certified;
  const char* const limit = of.objective.direction == Direction::maximize ? "above" : "below";
  std::string text = cut_short ? "Not certified: the search ended at its limit. " : "";
  if (optimum.count == 0) {
    text += "Nothing was found that runs";
  } else {
    text += (cut_short ? "Best found: " : "Optimum, certified: ") + metric(of, optimum.value) +
            ", of " + counted(optimum.count, "configuration", "configurations");
  }
  if (!cut_short) return text + ".";
  return text + (std::isfinite(optimum.bound)
                     ? "; none is " + std::string(limit) + " " + metric(of, optimum.bound) + "."
                     : "; how good the others can be is not known.");
}

std::string baseline_sentence(const Enumeration& of) {
  if (!of.baseline.stated) return "The table states no baseline.";
  if (!of.baseline.value) return "There is no baseline that runs.";
  if (!of.baseline.share_better) return "";
  return "Better than the baseline: " + small_percent(*of.baseline.share_better) + " of all.";
}

/// A value as the command line has it: JSON text without the quotes of a string.
std::string plain(const std::string& json) {
  return json.starts_with('"') ? json.substr(1, json.size() - 2) : json;
}

std::string optimum_command(const Enumeration& of, const EnumerationAsked& asked) {
  const datasets::NamedSettings& config = of.optimum->configs.front();
  std::set<std::string_view> given;
  for (const auto& [name, value] : config) given.insert(name);
  std::string command = "cubicbench simulate " + shell_word(asked.scenario);
  if (of.instance != 0) command += " --instance " + std::to_string(of.instance);
  if (!asked.salt.empty()) command += " --salt " + shell_word(asked.salt);
  for (const std::string& set : asked.sets) {
    const std::string_view name = std::string_view(set).substr(0, set.find('='));
    if (!given.contains(name)) command += " --set " + shell_word(set);
  }
  for (const auto& [name, value] : config) {
    command += " --set " + shell_word(name + "=" + plain(value));
  }
  return command;
}

std::string optimum_settings(const Enumeration& of) {
  std::string text;
  for (const auto& [name, value] : of.optimum->configs.front()) {
    text += (text.empty() ? "" : ", ") + name + " " + plain(value);
  }
  return text;
}

std::string optimum_text(const Enumeration& of, const EnumerationAsked& asked) {
  std::string text = paragraph("", 0, optimum_sentence(of));
  if (of.optimum->configs.empty()) return text;
  return text + (asked.simulated ? "  " + optimum_command(of, asked) + "\n"
                                 : paragraph("  ", 2, optimum_settings(of)));
}

}  // namespace

std::string enumeration_text(const Enumeration& of, const EnumerationAsked& asked) {
  std::string text = paragraph("", 0, headline(of, asked.measured || !of.baseline.stated)) + "\n";
  if (of.exhaustive) text += outcome_table(of) + "\n";
  if (!of.rejected_by.empty()) text += rejected_table(of) + "\n";
  if (of.optimum && of.optimum->count > 0) text += value_table(of) + "\n";
  if (const std::string sentence = baseline_sentence(of); !sentence.empty()) {
    text += paragraph("", 0, sentence);
  }
  text += of.optimum ? optimum_text(of, asked) : "No configuration runs.\n";
  if (of.exhaustive) return text;
  return text + paragraph("", 0,
                          "Shares of failures, quantiles and the best of random draws take every "
                          "value; --all computes them.");
}

}  // namespace cubicbench::results
