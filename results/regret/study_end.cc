#include "results/regret/study_end.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "search/finished/study_truth.h"
#include "support/json/strict_json.h"

namespace cubicbench::results {
namespace {

using scenarios::Direction;
using scenarios::Reason;

/// Is `value` as near to the optimum as a share of it?
bool within(const std::optional<double>& value, double best, double share) {
  return value && std::fabs(best - *value) <= share * std::fabs(best);
}

void add_regret(const search::StudyRegret& curve, const Yardstick& yardstick, StudyEnd& end) {
  end.curve = curve;
  end.regret = curve.recommended.back();
  end.observed_regret = curve.observed.back();
  end.within_1_percent = within(end.recommended, yardstick.scale->best, 0.01);
  end.within_5_percent = within(end.recommended, yardstick.scale->best, 0.05);
  const std::size_t launches = curve.recommended.size();
  const std::vector<double>& random = yardstick.random.mean;
  if (launches <= random.size()) end.random_regret = random[launches - 1];
}

/// A number or text of a journal's configuration.
Cell setting_cell(const std::string& name, const std::string& text) {
  const nlohmann::ordered_json value = support::parse_json(text, name);
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  return value.get<std::string>();
}

Cell best_cell(const std::optional<search::BestTrial>& best) {
  if (!best) return {};
  Record config;
  for (const auto& [name, text] : best->config) {
    config.members.emplace_back(name, setting_cell(name, text));
  }
  return Record{
      .members = {{"trial", best->trial}, {"value", best->value}, {"config", std::move(config)}},
      .words = {}};
}

template <auto member>
Cell of_summary(const SearchedStudy& of) {
  return of.summary->*member;
}

template <auto member>
Cell of_end(const SearchedStudy& of) {
  return of.end == nullptr ? Cell::Absent() : Cell(of.end->*member);
}

template <typename Cells>
Cell of_tally(const SearchedStudy& of, Cells cells) {
  if (of.end == nullptr) return Cell::Absent();
  return cells(of.end->tally);
}

using search::StudySummary;

const Field<SearchedStudy> searched_fields[] = {
    {{"study", "study"}, of_summary<&StudySummary::study>},
    {{"scenario", "scenario"}, of_summary<&StudySummary::scenario>},
    {{"instance", "instance"}, of_summary<&StudySummary::instance>},
    {{"searcher", "searcher"}, of_summary<&StudySummary::searcher>},
    {{"seed", "seed"}, of_summary<&StudySummary::seed>},
    {{"trials", "launches"}, of_summary<&StudySummary::trials>},
    {{"failed", "failed"}, of_summary<&StudySummary::failed>},
    {{"best", "best"}, [](const SearchedStudy& of) { return best_cell(of.summary->best); }},
    {{"cost_gpu_hours", "GPU-hours"}, of_summary<&StudySummary::cost_gpu_hours>},
    {{"failures", "failures"}, [](const SearchedStudy& of) { return of_tally(of, failures_cell); }},
    {{"duplicates", "proposed again"},
     [](const SearchedStudy& of) {
       return of_tally(of, [](const StudyTally& tally) { return tally.duplicates; });
     }},
    {{"true_value", "true value"}, of_end<&StudyEnd::recommended>},
    {{"gain_over_baseline", "gain over baseline"}, of_end<&StudyEnd::gain>},
    {{"regret", "regret"}, of_end<&StudyEnd::regret>},
    {{"observed_regret", "observed regret"}, of_end<&StudyEnd::observed_regret>},
    {{"random_regret", "random search"}, of_end<&StudyEnd::random_regret>}};

}  // namespace

StudyTally tally_of(const search::StudyResult& study) {
  StudyTally tally;
  std::unordered_set<std::int64_t> trials;
  std::map<double, std::vector<bool>> proposed;  // by the share of the job that was run
  for (const search::StudyLaunch& launch : study.launches) {
    const LaunchCount one{.launches = 1, .gpu_hours = launch.cost_gpu_hours};
    tally.all += one;
    if (launch.state == scenarios::TrialState::fail) {
      tally.failed += one;
      tally.failed_by_reason[launch.reason] += one;
    }
    if (!trials.insert(launch.trial).second) continue;
    ++tally.trials;
    const std::size_t config = index_of(launch.config);
    std::vector<bool>& known = proposed[launch.fidelity];
    known.resize(std::max(known.size(), config + 1), false);
    if (known[config]) ++tally.duplicates;
    known[config] = true;
  }
  return tally;
}

void add(const StudyTally& tally, StudyTally& sum) {
  sum.all += tally.all;
  sum.failed += tally.failed;
  for (const auto& [reason, of] : tally.failed_by_reason) sum.failed_by_reason[reason] += of;
  sum.trials += tally.trials;
  sum.duplicates += tally.duplicates;
}

Cell failures_cell(const StudyTally& tally) {
  Record failures;
  for (const Reason reason : failure_reasons) {
    const auto found = tally.failed_by_reason.find(reason);
    if (found == tally.failed_by_reason.end()) continue;
    failures.members.emplace_back(std::string(name_of(reason)),
                                  Record{.members = {{"launches", found->second.launches},
                                                     {"cost_gpu_hours", found->second.gpu_hours}},
                                         .words = {}});
  }
  return failures;
}

StudyEnd end_of(const search::StudyResult& study, const Yardstick& yardstick) {
  StudyEnd end{.study = &study, .tally = tally_of(study)};
  const auto truths = launch_truths(study);
  const auto recommended = recommendations(study);
  if (!recommended.empty() && recommended.back()) {
    end.best = recommended.back()->launch;
    end.observed = recommended.back()->measured;
    const auto& truth = truths[*end.best];
    if (truth && truth->reason == Reason::none) end.recommended = truth->value;
  }
  if (const auto baseline = yardstick.baseline; end.recommended && baseline && *baseline > 0.0) {
    const double more = *end.recommended - *baseline;
    end.gain = (study.objective.direction == Direction::maximize ? more : -more) / *baseline;
  }
  if (!yardstick.scale) return end;
  if (const auto curve = study_regret(study, recommended, truths, *yardstick.scale)) {
    add_regret(*curve, yardstick, end);
  }
  return end;
}

std::span<const Field<SearchedStudy>> searched_study_fields() { return searched_fields; }

}  // namespace cubicbench::results
