#include "results/paper/paper_numbers.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "results/layout/html_table.h"
#include "results/document/markup.h"
#include "results/document/number_text.h"
#include "results/prediction/chosen_judgement.h"
#include "results/prediction/target_text.h"
#include "results/studies/study_problem.h"
#include "support/joined.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using predictor::JudgedDataset;
using predictor::Judgement;
using support::MeanAndSd;

constexpr const char* unknown = "\xE2\x80\x93";  // an en dash
constexpr double close_enough = 0.02;            // of tau

std::string count(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }

bool is_cubicml(const StudyResult& study) {
  return study.searcher == "cubicml" || study.searcher.starts_with("cubicml:");
}

/// Of the best measured launch, its noise-free value against the baseline's.
std::optional<double> gain_of(const StudyResult& study, const StudyProblem& problem) {
  if (!problem.baseline_value || *problem.baseline_value <= 0.0) return std::nullopt;
  const auto best = best_launch(study, problem.objective.direction);
  if (!best || !study.launches[*best].true_value) return std::nullopt;
  const double share = *study.launches[*best].true_value / *problem.baseline_value;
  return problem.objective.direction == scenarios::Direction::maximize ? share - 1.0 : 1.0 - share;
}

std::string signed_percent(double share) {
  return (share >= 0.0 ? "+" : "\xE2\x88\x92") + percent(share >= 0.0 ? share : -share);
}

/// "+9.1 % (ads-73b, 10 seeds, 150 launches each)" of the first group that CubicML searched.
std::string gain_text(const std::vector<Studies>& groups) {
  for (const Studies& group : groups) {
    const StudyProblem problem = problem_of(*group.front());
    std::vector<double> gains;
    std::int64_t trials = 0;
    for (const StudyResult* const study : group) {
      if (!is_cubicml(*study)) continue;
      trials = std::max(trials, study->trials);
      if (const auto gain = gain_of(*study, problem)) gains.push_back(*gain);
    }
    if (gains.empty()) continue;
    return signed_percent(support::median(gains)) + " (" + group.front()->scenario + ", " +
           count(std::ssize(gains)) + (gains.size() == 1 ? " seed, " : " seeds, ") + count(trials) +
           " launches)";
  }
  return unknown;
}

/// A column of ours: the predictor whose numbers it has; null: none was judged.
struct OurColumn {
  const Judgement* shown = nullptr;
  bool is_per_gpu = false;  ///< what it was judged on
};

bool per_gpu(const RandomSplit& of) { return of.data != nullptr && is_per_gpu(*of.data); }

OurColumn best_of(const RandomSplit& of) {
  if (of.judged == nullptr) return {};
  return {best_judgement(*of.judged, paper_train, Learnt::values), per_gpu(of)};
}

OurColumn never_asking_of(const RandomSplit& of) {
  if (of.judged == nullptr) return {};
  return {best_never_asking(*of.judged, paper_train), per_gpu(of)};
}

/// "0.780 (ridge, 150 jobs)"
std::string figure_text(const OurColumn& column, const std::optional<MeanAndSd>& figure) {
  if (!figure) return unknown;
  return fixed(figure->mean, 3) + " (" + column.shown->predictor + ", " +
         count(column.shown->train) + " jobs)";
}

/// Of the whole job's rate: where the target is not per GPU, of the target.
std::string whole_job_tau(const OurColumn& column) {
  if (column.shown == nullptr) return unknown;
  return figure_text(column,
                     column.is_per_gpu ? column.shown->kendall_of_total : column.shown->kendall);
}

std::string whole_job_rho(const OurColumn& column) {
  if (column.shown == nullptr) return unknown;
  return figure_text(column,
                     column.is_per_gpu ? column.shown->spearman_of_total : column.shown->spearman);
}

std::string whole_job_r(const OurColumn& column) {
  if (column.shown == nullptr) return unknown;
  return figure_text(column, column.shown->pearson_of_total);
}

std::string per_gpu_tau(const OurColumn& column) {
  if (column.shown == nullptr || !column.is_per_gpu) return unknown;
  return figure_text(column, column.shown->kendall);
}

/// "150 (tried 10, 40, 150, 300)"
std::string enough_text(const RandomSplit& of) {
  if (of.judged == nullptr) return unknown;
  const std::int64_t enough = enough_jobs(*of.judged);
  if (enough == 0) return unknown;
  std::vector<std::string> sizes;
  for (const std::int64_t size : train_sizes(*of.judged)) sizes.push_back(count(size));
  return count(enough) + " (tried " + support::joined(sizes, ", ") + ")";
}

std::string ceiling_text(const RandomSplit& of) {
  if (of.judged == nullptr || !of.judged->noise_ceiling_kendall) return unknown;
  return fixed(*of.judged->noise_ceiling_kendall, 3);
}

/// A number of the paper's and ours, a cell a column.
using OursText = std::string (*)(const OurColumn&);

std::string numbers_table(const OurResults& ours) {
  const OurColumn columns[] = {best_of(ours.simulated), best_of(ours.real),
                               never_asking_of(ours.real)};
  const auto row = [&](const char* number, const char* paper, const char* source, OursText text) {
    return std::vector<std::string>{number,           paper,           source, text(columns[0]),
                                    text(columns[1]), text(columns[2])};
  };
  const char* const summary = "a summary";
  return html_table({{"Number"},
                     {"Paper", true},
                     {"Said by"},
                     {"Ours, simulated", true},
                     {"Ours, real runs", true},
                     {"Real runs, never asking our simulator", true}},
                    {{"Gain of CubicML's search over the baseline", "+10.3 %", summary,
                      gain_text(ours.searches), unknown, unknown},
                     row("Kendall's tau, whole job's rate", "0.88", summary, whole_job_tau),
                     row("Pearson's r, the same", "0.97", summary, whole_job_r),
                     row("Spearman's rho, the same", "0.97", summary, whole_job_rho),
                     {"Jobs that are enough to learn from", "about 150", summary,
                      enough_text(ours.simulated_sizes), enough_text(ours.real_sizes), unknown},
                     row("Kendall's tau, rate per GPU", unknown, unknown, per_gpu_tau),
                     {"Noise ceiling of that tau", unknown, unknown, ceiling_text(ours.simulated),
                      unknown, unknown}});
}

constexpr const char* sources_text =
    "The five numbers of the paper are taken from public summaries of it: its abstract and "
    "captions, "
    "which we have, give none of them, and that the correlations belong to the random split is our "
    "reading. Abstract and captions do say what the figures show: an ads model of 73 B parameters "
    "and language models up to 405 B, the pairwise ranking loss, the three splits, ten "
    "permutations "
    "with a band of two standard deviations, 100 permutations of the random round. The paper "
    "divides "
    "its rates by constants that it does not give, so rates cannot be compared at all. Nothing "
    "here "
    "was tuned towards its numbers.";

struct Reason {
  const char* number;
  const char* text;
};

constexpr Reason reasons[] = {
    {"Gain",
     "The paper's baseline was set by hand for an in-house model on machines and software that are "
     "not public, ours is the baseline of a simulated scenario, so that the gain (without noise, "
     "the "
     "median over the seeds) measures how much the baseline left as much as how good the search "
     "is."},
    {"Kendall's tau",
     "The paper's jobs are a company's own, up to 16,384 GPUs, and what its predictor knew of them "
     "is not public, while ours are generated, or a public sweep of one software stack, with other "
     "sizes, settings and noise. Ours is the mean over the repeats, of the predictor that does "
     "best: on simulated jobs of those that do not ask the simulator which made them; on real runs "
     "of all that estimate rates, where those that ask our simulator have no privilege, and in the "
     "column beside it of those that never ask it, whether they estimate rates or order alone."},
    {"Pearson's r",
     "Ours is of the rates themselves (mean over the repeats, same predictors), where the largest "
     "jobs weigh most, and over which jobs the paper's was taken is not published. Scores of order "
     "alone become rates by the slope of the training jobs' logarithms over them."},
    {"Spearman's rho",
     "As for tau the jobs are others, and a whole job's rate grows with its number of GPUs, so "
     "that how far the sizes spread matters as much as the predictor (mean over the repeats, same "
     "predictors)."},
    {"Jobs that are enough",
     "Where the paper's curve ends is not published, and ours is the smallest size tried on which "
     "the "
     "best predictor comes within 0.02 of tau on the largest, which depends on the sizes tried and "
     "on how varied the jobs are."}};

std::string reasons_list() {
  std::string html = "<h3>Why they differ</h3>\n<dl>\n";
  for (const Reason& reason : reasons) {
    html += "<dt>" + escaped(reason.number) + "</dt><dd>" + escaped(reason.text) + "</dd>\n";
  }
  return html + "</dl>\n";
}

std::string ceiling_sentence(const RandomSplit& simulated) {
  if (ceiling_text(simulated) == unknown) return "";
  return "<p>The noise ceiling is tau-b of the simulated jobs' measured values and the same values "
         "without noise: what a predictor that knew the truth would reach. Real runs have one too, "
         "which nobody knows.</p>\n";
}

}  // namespace

std::int64_t enough_jobs(const JudgedDataset& judged) {
  const std::vector<std::int64_t> sizes = train_sizes(judged);
  if (sizes.size() < 2) return 0;
  const Judgement* const best = best_judgement(judged);
  for (const std::int64_t size : sizes) {
    const Judgement* const of = best_judgement(judged, size);
    if (of->kendall.mean >= best->kendall.mean - close_enough) return of->train;
  }
  return sizes.back();
}

std::string paper_numbers_section(const OurResults& ours) {
  return "<section id=\"numbers\">\n<h2>Our numbers beside the paper\xE2\x80\x99s</h2>\n" +
         numbers_table(ours) + "<p class=\"note\">" + escaped(sources_text) + "</p>\n" +
         ceiling_sentence(ours.simulated) + reasons_list() + "</section>\n";
}

}  // namespace cubicbench::results
