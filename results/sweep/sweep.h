#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "scenarios/truth/instance.h"
#include "sim/engine/event/event_engine.h"
#include "sim/engine/step_report.h"

namespace cubicbench::results {

/// A knob of a sweep, and what it is set to: a setting, or with a dot a field of the problem.
struct SweepAxis {
  std::string name;
  std::vector<std::string> values;  ///< as `--set NAME=VALUE` writes them, at least one
  std::string typed{};              ///< the text that asked for them, for a command that does again

  bool operator==(const SweepAxis&) const = default;
};

/// How the event engine plays a step of a problem, which may be wrong for it: throws InputError.
using PlayOptions = std::function<sim::EventOptions(const scenarios::Scenario& scenario)>;

/// What is swept, and how.
struct AskedSweep {
  std::string scenario;  ///< name or path
  std::vector<SweepAxis> axes;
  std::uint64_t instance = 0;
  std::shared_ptr<const scenarios::Seal> seal{};
  PlayOptions play{};                                ///< empty: the analytical engine
  int threads = 0;                                   ///< 0: all cores; changes no result
  std::function<void(std::size_t more)> progress{};  ///< points that were done; from any thread
};

/// What one point came to: the numbers that `simulate` has for the same `--set` options.
struct SweepPoint {
  std::string_view status;  ///< "ok", "oom_init", "oom_late", "invalid", "infra"
  /// Why it has no objective; none where it has one.
  scenarios::Reason reason = scenarios::Reason::none;
  std::string why{};  ///< in one sentence; "" where it has an objective
  bool in_space = false;
  std::optional<double> step_time_s{};
  std::optional<double> objective{};
  std::optional<double> mfu{};
  std::optional<sim::StepPart> bound_by{};
  std::optional<double> memory_bytes{};    ///< demand: what must fit
  std::optional<double> capacity_bytes{};  ///< what it must fit into

  bool operator==(const SweepPoint&) const = default;
};

/// The cross product of all axes, the last of which changes fastest.
struct Sweep {
  AskedSweep asked;
  std::string scenario{};         ///< its name
  std::string scenario_sha256{};  ///< of the first point's problem
  std::string salt_sha256{};      ///< of a sealed instance; "" of others
  scenarios::Objective objective{};
  std::vector<SweepPoint> points{};
};

/// Points of the axes, or nothing where they are more than 2^64 - 1.
std::optional<std::uint64_t> point_count(const std::vector<SweepAxis>& axes);

/// Which value of each axis point `number` has.
std::vector<std::size_t> places_of(const std::vector<SweepAxis>& axes, std::size_t number);

/// The NAME=VALUE texts of point `number`, one an axis.
std::vector<std::string> sets_of(const std::vector<SweepAxis>& axes, std::size_t number);

/// The number of the best point; nothing where none has an objective.
std::optional<std::size_t> best_point(const Sweep& sweep);

/// Simulates every point.
///
/// A value that no configuration can have is bad input, and so is one that cannot be read beside
/// the first values of the other axes: throws InputError with every problem. Where the problem
/// cannot be read otherwise, as with a number of GPUs that is no whole number of nodes of another
/// axis, the point is `invalid`.
/// Requires at least one axis, and points that memory holds.
Sweep swept(const AskedSweep& asked);

}  // namespace cubicbench::results
