#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenarios/space/search_space.h"
#include "search/constrained_gp/job_models.h"
#include "search/constrained_gp/space_axes.h"
#include "search/searchers/searcher.h"

namespace cubicbench::search {

/// The models of a study while it goes on: they learn from the jobs that have ended, and take those
/// that run, or are about to, to end as expected [Ginsbourger10], so that several slots do not ask
/// the same.
class StudyModels {
 public:
  /// `space` must outlive this.
  StudyModels(const scenarios::SearchSpace& space, const ModelOptions& options);

  /// A job is under way; `number`: of its trial.
  void start(const scenarios::Configuration& config, std::int64_t number);
  void end(const ToldTrial& trial);

  /// Learns what is new. Is there anything to tell configurations apart by?
  bool learn();

  /// Requires that learn() said so, and that nothing started or ended since.
  Acquisition acquisition() const { return models_.acquisition(); }
  /// Of what ran, those that are expected to be best.
  std::vector<scenarios::Configuration> best(std::size_t count) const;

  const SpaceAxes& axes() const { return axes_; }
  JobModels& models() { return models_; }
  /// What the models took for granted is to be learnt anew.
  void disbelieve() { believed_ = 0; }

 private:
  struct Running {
    scenarios::Configuration config;
    std::int64_t number = 0;
    std::int64_t overtaken = 0;  ///< trials that were asked for later and told before
  };

  void give_up_overtaken(std::int64_t by);
  double gpus_of(const scenarios::Configuration& config) const;

  const scenarios::SearchSpace& space_;
  SpaceAxes axes_;
  JobModels models_;
  std::vector<Running> running_;
  std::size_t believed_ = 0;  ///< of those that run, how many the models know of
};

}  // namespace cubicbench::search
