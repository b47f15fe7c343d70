#include "results/studies/study_tally.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cubicbench::results {
namespace {

void add(const LaunchCount& count, LaunchCount& sum) {
  sum.launches += count.launches;
  sum.gpu_hours += count.gpu_hours;
}

}  // namespace

StudyTally tally_of(const StudyResult& study) {
  StudyTally tally;
  std::set<std::int64_t> trials;
  std::set<std::vector<std::pair<std::string, std::string>>> configurations;
  for (const StudyLaunch& launch : study.launches) {
    const LaunchCount one{.launches = 1, .gpu_hours = launch.cost_gpu_hours};
    add(one, tally.all);
    if (launch.state == scenarios::TrialState::fail) {
      add(one, tally.failed);
      add(one, tally.failed_by_reason[launch.reason]);
    }
    if (!trials.insert(launch.trial).second) continue;
    ++tally.trials;
    if (!configurations.insert(launch.config).second) ++tally.duplicates;
  }
  return tally;
}

void add(const StudyTally& tally, StudyTally& sum) {
  add(tally.all, sum.all);
  add(tally.failed, sum.failed);
  for (const auto& [reason, count] : tally.failed_by_reason) {
    add(count, sum.failed_by_reason[reason]);
  }
  sum.trials += tally.trials;
  sum.duplicates += tally.duplicates;
}

}  // namespace cubicbench::results
