#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "scenarios/space/space_walk.h"
#include "scenarios/truth/instance.h"
#include "sim/engine/repeated_recommendation.h"
#include "sim/engine/repeated_transformer.h"

namespace cubicbench::scenarios {

/// The true values of many configurations of one instance, asked one after another: what has no
/// noise and is the same for everybody. Remembers what configurations share, so that neighbours
/// cost less than strangers; no order of questions changes a bit of an answer.
///
/// Of a scenario that is a table of runs, the value of a configuration is the mean over its runs
/// that ended, and where none did the reason of the first.
///
/// `instance` must outlive it. Not to be shared by threads.
class TrueValues {
 public:
  explicit TrueValues(const Instance& instance);

  /// That of Instance::true_value to the bit. Requires a canonical configuration of the space.
  TrueValue at(std::span<const std::int64_t> configuration);

 private:
  TrueValue measured(std::span<const std::int64_t> configuration) const;

  const Instance& instance_;
  ChangingPlan plan_;
  std::optional<sim::RepeatedTransformer> transformer_;
  std::optional<sim::RepeatedRecommendation> recommendation_;
  sim::Workspace workspace_;
};

}  // namespace cubicbench::scenarios
