#include "search/study/study.h"

#include "scenarios/problem/score.h"
#include "support/json/json_document.h"

namespace cubicbench::search {

using scenarios::TrialState;

void count_launch(const scenarios::Objective& objective, const JournalLine& line,
                  StudySummary& summary) {
  const scenarios::TrialOutcome& outcome = line.outcome;
  ++summary.trials;
  summary.cost_gpu_hours += outcome.cost_gpu_hours;
  if (outcome.state == TrialState::fail) ++summary.failed;
  if (outcome.state != TrialState::complete || !outcome.value || line.share() < 1.0) return;
  const double score = score_of(objective, *outcome.value);
  if (summary.best) {
    const double best = score_of(objective, summary.best->value);
    if (score < best || (score == best && line.trial > summary.best->trial)) return;
  }
  summary.best = {.trial = line.trial, .value = *outcome.value, .config = line.config};
}

std::string study_name(const StudySpec& spec) {
  return spec.scenario + "." + std::to_string(spec.instance) + "." +
         searcher_slug(spec.searcher.text) + "." + std::to_string(spec.seed);
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
                        std::span<const JournalLine> launches) {
  StudySummary summary = summary_of(spec);
  for (const JournalLine& line : launches) count_launch(objective, line, summary);
  return summary;
}

}  // namespace cubicbench::search
