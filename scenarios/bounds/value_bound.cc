#include "scenarios/bounds/value_bound.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/evaluation/evaluate.h"
#include "sim/plan/plan_cluster.h"
#include "sim/workload/transformer.h"

namespace cubicbench::scenarios {
namespace {

/// FLOP/s that no kernel of a plan exceeds. Attention of 8-bit recipes runs in bf16.
sim::FlopsPerSecond fastest_rate(const sim::Device& device, const sim::Stack& stack,
                                 sim::Dtype dtype) {
  const double share =
      std::max({1.0, device.gemm_share_fp8, device.gemm_share_mxfp8, device.gemm_share_nvfp4});
  const double factor = stack.gemm_factor * std::max(1.0, stack.grouped_gemm_factor);
  const auto peak = [&](sim::Dtype of) { return device.matmul_peak[static_cast<std::size_t>(of)]; };
  return max(std::max(1.0, device.gemm_efficiency * share * factor) * peak(dtype),
             peak(sim::Dtype::bf16));
}

/// `plans`, and where a parameter of that name is not decided each with each of its values.
std::vector<sim::Plan> with_open(std::vector<sim::Plan> plans, std::string_view name,
                                 const SearchSpace& space, std::size_t decided) {
  const int found = space.find(name);
  if (found < 0 || static_cast<std::size_t>(found) < decided) return plans;
  const Parameter& parameter = space.parameters()[static_cast<std::size_t>(found)];
  std::vector<sim::Plan> all = plans;  // as they are where it is not active
  for (const std::int64_t value : parameter.values) {
    for (sim::Plan plan : plans) {
      parameter.setting->apply(plan, value);
      all.push_back(plan);
    }
  }
  return all;
}

/// ValueBound's answer for a transformer: what its devices would reach if they did nothing but the
/// model's FLOPs (those that MFU counts, each of which is computed), and these as fast as the
/// device's matrix units go: at their peak, or at what the description's efficiencies say where
/// that is more. Reads `dtype`, `global_batch` and `gpus` of a configuration.
///
/// Of a metric of energy it is told of GPUs that draw the power of waiting all the time: none draws
/// less, whatever it computes.
///
/// A part that misses the deadline even so has no value. In the direction in which shorter steps
/// are better.
double transformer_bound(const Instance& instance, const sim::Transformer& model,
                         std::span<const std::int64_t> configuration, std::size_t decided) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr sim::Seconds never_busy{};
  const Scenario& scenario = instance.scenario();
  const bool maximises = scenario.objective.direction == Direction::maximize;
  Configuration known(scenario.space.size(), inactive);
  std::copy_n(configuration.begin(), decided, known.begin());
  sim::Plan plan;
  scenario.space.apply(known, plan);
  double best = maximises ? -infinity : infinity;
  std::vector<sim::Plan> plans{plan};
  for (const std::string_view name : {"dtype", "global_batch", "gpus"}) {
    plans = with_open(std::move(plans), name, scenario.space, decided);
  }
  for (const sim::Plan& one : plans) {
    if (scenario.cluster.device.matmul_peak[sim::row_of(one.dtype)].value <= 0.0) {
      continue;  // not a configuration of this device
    }
    const sim::Flops work{static_cast<double>(model.sequence) * sim::mfu_flops_per_token(model) *
                          samples_per_step(scenario, one)};
    const sim::FlopsPerSecond rate =
        static_cast<double>(sim::gpus_of(one, scenario.cluster)) *
        fastest_rate(scenario.cluster.device, scenario.stack, one.dtype);
    const sim::Seconds step = work / rate;
    if (misses_deadline(scenario, one, (1.0 - 1e-12) * step)) continue;
    const double value = objective_value(scenario, one, step, never_busy);
    best = maximises ? std::max(best, value) : std::min(best, value);
  }
  return best * (maximises ? 1.0 + 1e-12 : 1.0 - 1e-12);
}

/// Shorter steps are better.
bool is_natural(const Objective& objective) {
  return (objective.metric == Metric::step_time_s) == (objective.direction == Direction::minimize);
}

}  // namespace

ValueBound::ValueBound(const Instance& instance) : instance_(instance) {
  const Scenario& scenario = instance.scenario();
  const bool closed = !scenario.measured && scenario.engine == Engine::analytical;
  if (!closed || !is_natural(scenario.objective)) return;
  if (const auto* const model = std::get_if<sim::Recommendation>(&scenario.workload)) {
    recommendation_.emplace(instance, *model);
  } else {
    transformer_ = std::get_if<sim::Transformer>(&scenario.workload);
  }
}

double ValueBound::upper_bound(std::span<const std::int64_t> configuration, std::size_t decided) {
  return upper_bound(configuration, decided, -best_infinity());
}

double ValueBound::upper_bound(std::span<const std::int64_t> configuration, std::size_t decided,
                               double reached) {
  if (recommendation_) return recommendation_->upper_bound(configuration, decided, reached);
  if (transformer_) return transformer_bound(instance_, *transformer_, configuration, decided);
  return best_infinity();
}

double ValueBound::best_infinity() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return instance_.scenario().objective.direction == Direction::maximize ? infinity : -infinity;
}

}  // namespace cubicbench::scenarios
