#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/ledger/ledger.h"
#include "web/engine/race.h"
#include "web/engine/told_backend.h"

namespace cubicbench::web {

/// One searcher of a race: a study that is run a few launches at a time, by the ledger that
/// `search` runs it by.
class Racer {
 public:
  /// `scenario` must outlive it. Throws InputError.
  Racer(const scenarios::Scenario& scenario, const search::StudySpec& spec,
        const std::string& truth_sha256);

  /// Up to so many more launches. Retries of the last one's trial may add to them.
  std::vector<RacedLaunch> step(std::int64_t launches);

  const std::string& name() const { return spec_.searcher.text; }
  bool is_done() const { return is_done_; }
  const search::StudySummary& summary() const { return ledger_.summary(); }
  std::optional<double> best() const { return best_value_; }
  const scenarios::ConfigText& best_config() const { return best_config_; }

 private:
  void launch_next();
  RacedLaunch counted(search::Finished finished);

  const scenarios::Scenario& scenario_;
  search::StudySpec spec_;
  std::unique_ptr<search::Searcher> searcher_;
  ToldBackend backend_;
  search::StudyLog log_;
  search::Ledger ledger_;
  bool is_done_ = false;
  double gpu_hours_ = 0.0;
  std::optional<double> best_score_{};  ///< as it was measured
  std::optional<double> best_value_{};  ///< the same configuration without noise
  scenarios::ConfigText best_config_{};
};

}  // namespace cubicbench::web
