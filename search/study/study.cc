#include "search/study/study.h"

#include "scenarios/problem/score.h"
#include "search/searchers/charge.h"
#include "support/json/json_document.h"

namespace cubicbench::search {

using scenarios::TrialState;

namespace {

/// A whole launch that completed, against the best so far.
bool is_best(const scenarios::Objective& objective, std::int64_t trial, double value,
             const StudySummary& summary) {
  if (!summary.best) return true;
  const double score = score_of(objective, value);
  const double best = score_of(objective, summary.best->value);
  return score > best || (score == best && trial <= summary.best->trial);
}

}  // namespace

void count_launch(const scenarios::Objective& objective, const JournalLine& line,
                  StudySummary& summary) {
  const scenarios::TrialOutcome& outcome = line.outcome;
  ++summary.trials;
  summary.cost_gpu_hours += outcome.cost_gpu_hours;
  if (outcome.state == TrialState::fail) ++summary.failed;
  if (outcome.state != TrialState::complete || !outcome.value || line.share() < 1.0) return;
  if (!is_best(objective, line.trial, *outcome.value, summary)) return;
  summary.best = {.trial = line.trial, .value = *outcome.value, .config = line.config};
}

namespace {

std::string name_of_study(const std::string& scenario, std::int64_t instance,
                          const std::string& searcher, std::int64_t seed) {
  return scenario + "." + std::to_string(instance) + "." + searcher_slug(searcher) + "." +
         std::to_string(seed);
}

}  // namespace

std::string study_name(const StudySpec& spec) {
  return name_of_study(spec.scenario, spec.instance, spec.searcher.text, spec.seed);
}

std::string study_name(const JournalHeader& header) {
  return name_of_study(header.scenario, header.instance, header.searcher, header.seed);
}

JournalHeader journal_header(const StudySpec& spec, const std::string& scenario_sha256,
                             const std::string& truth_sha256) {
  JournalHeader header;
  header.version = support::own_version();
  header.scenario = spec.scenario;
  header.scenario_sha256 = scenario_sha256;
  header.truth_sha256 = truth_sha256;
  header.instance = spec.instance;
  header.salt_sha256 = spec.salt_sha256;
  header.searcher = spec.searcher.text;
  header.backend = spec.backend;
  header.slots = spec.slots;
  header.start = name_of(spec.start);
  header.permute = spec.permute;
  if (spec.warm_start) header.warm_start = spec.warm_start->id();
  header.searcher_options = spec.searcher.options;
  header.telling = name_of(spec.telling);
  header.seed = spec.seed;
  header.trials = spec.trials;
  return header;
}

StudySummary summary_of(const StudySpec& spec) {
  return {.study = study_name(spec),
          .scenario = spec.scenario,
          .instance = spec.instance,
          .searcher = spec.searcher.text,
          .seed = spec.seed};
}

StudySummary summary_of(const StudySpec& spec, const scenarios::Objective& objective,
                        const StudyRecord& record) {
  StudySummary summary = summary_of(spec);
  std::optional<ConfigId> best;
  for (const StudyLaunch& launch : record.launches) {
    ++summary.trials;
    summary.cost_gpu_hours += launch.cost_gpu_hours;
    if (launch.state == TrialState::fail) ++summary.failed;
    if (launch.state != TrialState::complete || launch.fidelity < whole_launch) continue;
    if (!is_best(objective, launch.trial, *launch.value, summary)) continue;
    summary.best = {.trial = launch.trial, .value = *launch.value, .config = {}};
    best = launch.config;
  }
  if (best) summary.best->config = record.configs.json(*best);
  return summary;
}

}  // namespace cubicbench::search
