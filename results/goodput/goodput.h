#pragma once

#include <cstdint>
#include <optional>

#include "results/simulation/simulation.h"
#include "sim/truth/goodput.h"

namespace cubicbench::results {

/// How checkpoints are written.
enum class CheckpointWriting : std::uint8_t {
  synchronous,   ///< steps wait until they are complete
  asynchronous,  ///< steps wait for the copy to host memory, which is written beside them
};

/// A long run of one configuration, as it was asked for.
struct GoodputQuestion {
  double days = 54.0;
  CheckpointWriting writing = CheckpointWriting::asynchronous;
  std::optional<double> interval_s{};     ///< of steps between checkpoints; nothing: the best
  std::optional<double> storage_gb_s{};   ///< that all ranks write and read together
  std::optional<double> restart_s{};      ///< from a failure to the next step
  std::optional<double> failure_hours{};  ///< of GPUs, from one failure to the next
  std::optional<std::int64_t> spares{};   ///< nodes; nothing: there is always one
  std::optional<double> repair_hours{};   ///< that a broken node is away; nothing: a day
};

inline constexpr double repair_hours_assumed = 24.0;

/// What comes of it. Where the configuration does not run, only `simulation` says anything.
struct Goodput {
  GoodputQuestion question;
  Simulation simulation;
  sim::Bytes checkpoint{};  ///< of all ranks
  sim::LongRun run{};
  sim::Seconds interval{};
  sim::TimeShares shares{};  ///< of the time in which no node is waited for
  double waiting = 0.0;      ///< share of all time in which one is
};

/// Llama 3's storage took 2 TB/s of 16,384 GPUs [Llama3, section 3.3.1]: as much a GPU, in GB/s.
inline constexpr double storage_gb_s_per_gpu = 2000.0 / 16384.0;

/// Of its unexpected interruptions, those that a node is exchanged for: 78 % were of the hardware
/// [Llama3, section 3.3.4].
inline constexpr double hardware_share = 0.78;

/// Plays a step of the baseline of `scenario`, read with `sets`, and what becomes of it in a long
/// run; the best interval is one of whole steps. Failures are those that the scenario names or,
/// where it names none, llama3-2024. Throws InputError where an interval is shorter than a
/// checkpoint takes to be written.
Goodput goodput(const scenarios::Scenario& scenario, std::span<const std::string> sets,
                const GoodputQuestion& question);

/// Share of all time in steps that count; nothing where the configuration does not run.
std::optional<double> goodput_share(const Goodput& of);

}  // namespace cubicbench::results
