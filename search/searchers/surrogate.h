#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "datasets/jobs/space_columns.h"
#include "predictor/neural/mlp_ensemble.h"
#include "scenarios/space/search_space.h"
#include "search/searchers/searcher.h"

namespace cubicbench::search {

/// How a surrogate learns.
struct SurrogateOptions {
  predictor::MlpOptions speed;
  std::size_t feasibility_members = 3;
};

/// What a searcher has been told, as rows to learn from.
class FinishedJobs {
 public:
  explicit FinishedJobs(const scenarios::SearchSpace& space) : columns_(space) {}

  /// A success by its score, a failure that lies in the configuration by having failed. Failures
  /// that come and go (infrastructure, hanging jobs) and trials without an answer say nothing.
  void add(const ToldTrial& trial);

  const datasets::SpaceColumns& columns() const { return columns_; }
  std::span<const double> success_cells() const { return success_cells_; }
  std::span<const double> scores() const { return scores_; }
  std::span<const double> failure_cells() const { return failure_cells_; }
  std::size_t failures() const { return failures_; }

 private:
  datasets::SpaceColumns columns_;
  std::vector<double> success_cells_;  ///< [successes x columns]
  std::vector<double> scores_;
  std::vector<double> failure_cells_;  ///< [failures x columns]
  std::size_t failures_ = 0;
};

/// What the predictors expect of a configuration: a reward to search by. Never changed once made.
class Surrogate {
 public:
  Surrogate(const FinishedJobs& jobs, const SurrogateOptions& options);

  /// Is there anything to tell configurations apart by?
  bool informed() const { return speed_ || fits_; }

  /// Networks of the speed predictor; none when it has learnt nothing.
  std::size_t members() const { return speed_ ? speed_->members() : 0; }

  /// P(it fits) x (predicted score - lowest predicted score of a finished job), in standard
  /// deviations of the predictor: a failure counts as much as the worst success. The score is the
  /// mean of all members (`begin` 0) or, with `count` 1, that of member `begin`.
  void rewards(std::span<const scenarios::Configuration> configurations, std::size_t begin,
               std::size_t count, std::span<double> rewards) const;

 private:
  const datasets::SpaceColumns& columns_;
  std::optional<predictor::MlpEnsemble> speed_;
  std::optional<predictor::MlpEnsemble> fits_;
  std::vector<double> worst_;  ///< lowest score of a finished job: by member, then of all
};

}  // namespace cubicbench::search
