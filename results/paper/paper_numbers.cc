#include "results/paper/paper_numbers.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "predictor/judging/chosen_judgement.h"
#include "results/document/cell_text.h"
#include "results/document/number_text.h"
#include "results/searches/finding.h"
#include "support/joined.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using predictor::Judgement;
using predictor::Learnt;

constexpr const char* paper_gain = "+10.3 %";

/// What CubicML's searches of a problem gained over its baseline, without noise.
struct Gain {
  std::string scenario;
  std::string median;
  std::size_t seeds = 0;
  std::int64_t trials = 0;
};

/// Of the first problem that CubicML searched.
std::optional<Gain> gain_of(std::span<const SearchedProblem> problems) {
  for (const SearchedProblem& problem : problems) {
    SeriesEnd cubicml;
    for (const SearchedSeries& series : problem.series) {
      const std::string& searcher = series.curves.studies.front()->searcher;
      if (searcher != "cubicml" && !searcher.starts_with("cubicml:")) continue;
      for (const StudyEnd& end : series.end.ends) cubicml.ends.push_back(end);
    }
    const std::vector<double> gains = cubicml.all(&StudyEnd::gain);
    if (gains.empty()) continue;
    Gain gain{.scenario = problem.study->scenario,
              .median = signed_percent(support::median(gains)),
              .seeds = gains.size()};
    for (const StudyEnd& end : cubicml.ends) gain.trials = std::max(gain.trials, end.study->trials);
    return gain;
  }
  return std::nullopt;
}

/// "+9.1 % (ads-73b, 10 seeds, 150 launches)"
Cell gain_cell(const std::optional<Gain>& gain) {
  if (!gain) return {};
  return gain->median + " (" + gain->scenario + ", " + counted(gain->seeds, "seed", "seeds") +
         ", " + counted(gain->trials, "launch", "launches") + ")";
}

std::string gain_sentence(const Gain& gain) {
  return "CubicML\xE2\x80\x99s search gains " + gain.median + " over the baseline of " +
         gain.scenario + "; the paper says " + paper_gain + " over its own.";
}

/// A column of ours: the predictor whose numbers it has; null: none was judged.
struct OurColumn {
  const Judgement* shown = nullptr;
  bool is_per_gpu = false;  ///< what it was judged on
};

OurColumn best_of(const NamedJudgement* of) {
  if (of == nullptr) return {};
  return {best_judgement(*of->judged, paper_train, Learnt::values), is_per_gpu(*of->data)};
}

OurColumn never_asking_of(const NamedJudgement* of) {
  if (of == nullptr) return {};
  return {best_never_asking(*of->judged, paper_train), is_per_gpu(*of->data)};
}

/// "0.780 (ridge, 150 jobs)"
Cell mean_cell(const Judgement& shown, const std::optional<support::MeanAndSd>& of) {
  if (!of) return {};
  return fixed(of->mean, 3) + " (" + shown.predictor + ", " + grouped(shown.train) + " jobs)";
}

/// Where the target is not per GPU, that of the whole job is the target's.
template <auto of_total, auto of_target>
Cell whole_job_cell(const Judgement& of, bool is_per_gpu) {
  if (is_per_gpu) return mean_cell(of, of.*of_total);
  return mean_cell(of, of.*of_target);
}
Cell per_gpu_tau(const Judgement& of, bool is_per_gpu) {
  return is_per_gpu ? mean_cell(of, of.kendall) : Cell();
}

/// "150 (tried 10, 40, 150, 300)"
Cell enough_cell(const NamedJudgement* of) {
  const std::int64_t enough = of == nullptr ? 0 : enough_jobs(*of->judged);
  if (enough == 0) return {};
  const auto sizes = train_sizes(*of->judged);
  const auto text_of = [](std::int64_t size) { return grouped(size); };
  return grouped(enough) + " (tried " + support::joined(sizes, ", ", text_of) + ")";
}

Table numbers_table(const OurResults& ours, const std::optional<double>& ceiling) {
  Table table{.columns = {{"number", "number"},
                          {"paper", "paper", Show::figure},
                          {"source", "source"},
                          {"simulated", "ours, simulated", Show::figure},
                          {"real", "ours, real runs", Show::figure},
                          {"never_asking", "real runs, never asking our simulator", Show::figure}}};
  const OurColumn columns[] = {best_of(ours.simulated), best_of(ours.real),
                               never_asking_of(ours.real)};
  const auto row = [&](const char* number, Cell paper, Cell source, auto cell_of) {
    table.rows.push_back({number, std::move(paper), std::move(source)});
    for (const OurColumn& column : columns) {
      table.rows.back().push_back(
          column.shown == nullptr ? Cell() : cell_of(*column.shown, column.is_per_gpu));
    }
  };
  const char* const summary = "a summary";
  table.rows.push_back({"Gain of CubicML's search over the baseline", paper_gain, summary,
                        gain_cell(gain_of(ours.searches)), Cell(), Cell()});
  row("Kendall's tau, whole job's rate", "0.88", summary,
      whole_job_cell<&Judgement::kendall_of_total, &Judgement::kendall>);
  row("Pearson's r, the same", "0.97", summary,
      whole_job_cell<&Judgement::pearson_of_total, &Judgement::pearson_of_total>);
  row("Spearman's rho, the same", "0.97", summary,
      whole_job_cell<&Judgement::spearman_of_total, &Judgement::spearman>);
  table.rows.push_back({"Jobs that are enough to learn from", "about 150", summary,
                        enough_cell(ours.simulated_sizes), enough_cell(ours.real_sizes), Cell()});
  row("Kendall's tau, rate per GPU", {}, {}, per_gpu_tau);
  table.rows.push_back({"Noise ceiling of that tau", Cell(), Cell(),
                        ceiling ? Cell(fixed(*ceiling, 3)) : Cell(), Cell(), Cell()});
  return table;
}

constexpr const char* sources_text =
    "The paper's five numbers come from public summaries: its abstract and captions, which we "
    "have, give none of them. That the correlations belong to the random split is our reading. "
    "Abstract and captions do tell what the figures show: an ads model of 73 B parameters and "
    "language models up to 405 B, the pairwise ranking loss, the three splits, ten permutations "
    "with a band of two standard deviations, 100 permutations of the random round. The paper "
    "divides its rates by constants that it does not give, so rates cannot be compared. Nothing "
    "here was tuned towards its numbers.";

const Facts reasons{
    {{"Gain",
      "The paper's baseline was set by hand for an in-house model on machines and software that "
      "are not public. Ours is set by rule as a practitioner would start: of the ads models no "
      "change of one knob gains more than 6 %. Both gains (ours without noise, the median over "
      "the seeds) measure how much the baseline left as much as how good the search is."},
     {"Kendall's tau",
      "The paper's jobs are a company's own, up to 16,384 GPUs, and what its predictor knew of "
      "them is not public. Ours are generated, or a public sweep of one software stack, with "
      "other sizes, settings and noise. Ours is the mean over the repeats for the predictor that "
      "does best: on simulated jobs among those that do not ask the simulator that made them; on "
      "real runs among all that estimate rates, where asking our simulator is no privilege, and "
      "in the column beside it among those that never ask it, whether they estimate rates or "
      "order alone."},
     {"Pearson's r",
      "Ours is of the rates themselves (mean over the repeats, same predictors), where the "
      "largest jobs weigh most; over which jobs the paper's was taken is not published. Scores "
      "of order alone become rates by the slope of the training jobs' logarithms over them."},
     {"Spearman's rho",
      "As for tau the jobs differ, and a whole job's rate grows with its number of GPUs, so the "
      "spread of sizes matters as much as the predictor (mean over the repeats, same "
      "predictors)."},
     {"Jobs that are enough",
      "Where the paper's curve ends is not published. Ours is the smallest size tried on which "
      "the best predictor comes within 0.02 of tau on the largest; it depends on the sizes tried "
      "and on how varied the jobs are."}}};

/// How well jobs are ranked, on simulated and on real ones; "" where none was judged.
std::string tau_sentence(const OurResults& ours) {
  const OurColumn simulated = best_of(ours.simulated);
  const OurColumn real = best_of(ours.real);
  std::vector<std::string> parts;
  const auto add = [&](const OurColumn& column, const char* jobs) {
    if (column.shown == nullptr) return;
    const auto& of_total = column.shown->kendall_of_total;
    const support::MeanAndSd& tau =
        column.is_per_gpu && of_total ? *of_total : column.shown->kendall;
    parts.push_back(fixed(tau.mean, 2) + " on " + jobs + " (" + column.shown->predictor + ")");
  };
  add(simulated, "simulated jobs");
  add(real, "real runs");
  if (parts.empty()) return "";
  return "After " + grouped(paper_train) +
         " jobs the best predictor ranks unseen ones with Kendall\xE2\x80\x99s tau " +
         support::joined(parts, " and ") + "; the paper says 0.88.";
}

}  // namespace

void add_paper_numbers(const OurResults& ours, Document& document) {
  std::optional<double> ceiling;
  if (ours.simulated != nullptr) ceiling = ours.simulated->judged->noise_ceiling_kendall;
  document.add(Heading{"Our numbers beside the paper\xE2\x80\x99s", "numbers"});
  if (!ours.searches.empty()) document.add(Paragraph{finding_of(ours.searches.front())});
  if (const auto gain = gain_of(ours.searches)) document.add(Paragraph{gain_sentence(*gain)});
  if (std::string tau = tau_sentence(ours); !tau.empty()) document.add(Paragraph{std::move(tau)});
  document.add(numbers_table(ours, ceiling));
  Document why;
  why.add(Paragraph{sources_text});
  if (ceiling) {
    why.add(Paragraph{
        "The noise ceiling is tau-b of the simulated jobs' measured values and the same values "
        "without noise: what a predictor that knew the truth would reach. Real runs have one too, "
        "but it is unknown."});
  }
  why.add(reasons);
  document.add(
      Folded{.summary = "Where the paper\xE2\x80\x99s numbers come from, and why ours differ",
             .blocks = std::move(why.blocks)});
}

}  // namespace cubicbench::results
