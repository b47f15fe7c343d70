#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/problem/seal.h"
#include "scenarios/problem/trial_outcome.h"
#include "scenarios/space/search_space.h"
#include "scenarios/space/workload_kind.h"
#include "sim/base/units.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/workload/workload.h"

namespace cubicbench::scenarios {

/// What a configuration is judged by.
enum class Metric {
  step_time_s,
  samples_per_s,
  tokens_per_s,
  tokens_per_s_per_gpu,
  mfu,
  tokens_per_gpu_hour,
  tokens_per_joule,
  samples_per_joule,
  tokens_per_usd,
  samples_per_usd,
  column  ///< what a table of trials was judged by: Objective::column
};
enum class Direction { minimize, maximize };

/// The names that files use, in the order of the enumerators. A column has its own.
inline constexpr std::array<std::string_view, 10> metric_names{"step_time_s",
                                                               "samples_per_s",
                                                               "tokens_per_s",
                                                               "tokens_per_s_per_gpu",
                                                               "mfu",
                                                               "tokens_per_gpu_hour",
                                                               "tokens_per_joule",
                                                               "samples_per_joule",
                                                               "tokens_per_usd",
                                                               "samples_per_usd"};
inline constexpr std::array<std::string_view, 2> direction_names{"minimize", "maximize"};
constexpr std::string_view name_of(Direction direction) {
  return direction_names[static_cast<std::size_t>(direction)];
}

/// Of the energy that GPUs take: asks for the power of their device.
constexpr bool is_of_energy(Metric metric) {
  return metric == Metric::tokens_per_joule || metric == Metric::samples_per_joule;
}
/// Of what GPU-hours cost: asks for a price.
constexpr bool is_of_cost(Metric metric) {
  return metric == Metric::tokens_per_usd || metric == Metric::samples_per_usd;
}

/// A training that has to end in time: whoever would take longer has no value. Both are positive.
struct Deadline {
  double tokens = 0.0;  ///< of the whole training
  double days = 0.0;

  bool operator==(const Deadline&) const = default;
};

struct Objective {
  Metric metric = Metric::tokens_per_s;
  double percentile = 50.0;  ///< of the step-time distribution, in (0, 100)
  Direction direction = Direction::maximize;
  std::optional<Deadline> deadline{};  ///< of transformers only
  std::string column{};                ///< its name, exactly if `metric` is one

  bool operator==(const Objective&) const = default;
};
inline std::string_view name_of(const Objective& objective) {
  if (objective.metric == Metric::column) return objective.column;
  return metric_names[static_cast<std::size_t>(objective.metric)];
}

/// One launch of a configuration: what a trial costs.
struct Job {
  std::int64_t steps = 200;
  sim::Seconds startup = {300.0};
  sim::Seconds time_limit = {7200.0};
};

/// What separates a job from an ideal step.
struct Truth {
  std::string noise = "none";     ///< name of a noise model, or "none"
  std::string failures = "none";  ///< name of a failure model, or "none"
  std::int64_t max_retries = 2;
  std::string numeric = "none";  ///< name of a model of diverging trainings, or "none"
  std::string drift = "none";    ///< name of a drift model, or "none"
};

/// What plays a step: the analytical engine, or the event engine with contention (no jitter).
enum class Engine { analytical, event };

struct Budget {
  std::int64_t trials = 300;
};

/// A tuning problem, read and checked: what is trained, on what, which knobs may be turned, and
/// what counts as better. Never changed after reading; threads may share it.
struct Scenario {
  std::string name;
  std::string summary;
  sim::Workload workload;
  sim::Cluster cluster;
  sim::Stack stack;
  std::string device;                        ///< the name, or path, that the scenario gave
  std::string network;                       ///< likewise
  std::string stack_name;                    ///< likewise
  std::optional<double> usd_per_gpu_hour{};  ///< price of a GPU-hour on the cluster, if stated
  SearchSpace space;
  sim::Plan settings;  ///< defaults with `settings` applied: what every configuration starts from
  sim::Plan baseline;  ///< `settings` with `baseline` and then `--set` applied
  Objective objective;
  Job job;
  Truth truth;
  Budget budget;
  Engine engine = Engine::analytical;  ///< of the truth
  /// Of a table of runs; null where a model is simulated. Where it is there, workload, cluster,
  /// stack and the plans say nothing.
  std::shared_ptr<const MeasuredOutcomes> measured{};
  /// The baseline of a table of trials, which no plan can hold; none where it states none.
  std::optional<Configuration> measured_baseline{};
  std::string sha256;  ///< of the canonical form [docs/reference/README.md]
  /// What instances from 1 on are drawn from beside `sha256`; null where anybody may know them.
  std::shared_ptr<const Seal> seal{};
  /// Is the problem itself drawn from the salt? So is a sealed member of a family, instance 0 too.
  bool is_sealed_member = false;
};

}  // namespace cubicbench::scenarios
