#include "datasets/validation/validate_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "datasets/mapping/mapped_collective.h"
#include "datasets/mapping/mapped_recommendation.h"
#include "datasets/mapping/measured_run.h"
#include "datasets/mapping/named_parts.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/evaluation/stage_replay.h"
#include "scenarios/evaluation/violation_text.h"
#include "sim/base/binary_sizes.h"

namespace cubicbench::datasets {
namespace {

double gib_of(sim::Bytes bytes) { return bytes.value / sim::bytes_per_gib; }

/// Of `peak_alloc_gib`: nanotron resets its counters after the backward pass and logs what the
/// optimizer step leaves allocated [docs/measured-runs.md]. Other sources log another peak there.
bool logs_static_state(const Measurement& row) {
  return row.framework.starts_with("nanotron") || row.stack.starts_with("nanotron");
}

sim::StageChoice stage_of(std::string_view mem_rank, sim::StageChoice otherwise) {
  if (mem_rank == "first") return sim::StageChoice::first;
  return mem_rank == "last" ? sim::StageChoice::last : otherwise;
}

/// What a log of this kind counts; nothing of a kind that is not stated.
std::optional<double> gib_of(const sim::StageMemory& memory, std::string_view kind) {
  if (kind == "reserved") return gib_of(memory.reserved);
  if (kind == "allocated") return gib_of(memory.allocated);
  return kind == "device" ? std::optional(gib_of(memory.device)) : std::nullopt;
}

/// nanotron's first pipeline engine waited for the device at every exchange of stages
/// [docs/measured-runs.md].
scenarios::StageExchange exchange_of(const Measurement& row) {
  return row.quality == MeasurementQuality::early_pp ? scenarios::StageExchange::waits
                                                     : scenarios::StageExchange::runs_ahead;
}

void write_memory(const Measurement& measured, const MeasuredRun& run,
                  const sim::Workspace& workspace, ValidatedMemory& memory) {
  const scenarios::Scenario& scenario = run.scenario;
  if (!memory.judged) return;
  memory.peak_measured = measured.peak_mem_gib;
  memory.kind = run.mem_kind;
  memory.rank = measured.mem_rank;
  const sim::StageChoice logged = stage_of(measured.mem_rank, sim::StageChoice::largest);
  // The allocator's cache depends on the order of requests: what the replay is for.
  memory.peak_simulated =
      run.mem_kind == "reserved" && measured.peak_mem_gib
          ? gib_of(scenarios::replayed_stage_memory(scenario, scenario.baseline, logged,
                                                    exchange_of(measured), workspace)
                       .reserved)
          : gib_of(scenarios::stage_memory(scenario, scenario.baseline, logged, workspace),
                   run.mem_kind);
  if (!logs_static_state(measured)) return;
  const sim::StageChoice first = stage_of(measured.mem_rank, sim::StageChoice::first);
  memory.static_measured = measured.peak_alloc_gib;
  memory.static_simulated =
      gib_of(scenarios::stage_memory(scenario, scenario.baseline, first, workspace).static_state);
}

void write_memory(const RecommendationMeasurement& measured, const MeasuredRun& run,
                  const sim::Workspace& workspace, ValidatedMemory& memory) {
  constexpr double mib_per_gib = 1024.0;
  if (!memory.judged || !measured.peak_mem_mib) return;
  memory.peak_measured = *measured.peak_mem_mib / mib_per_gib;
  memory.kind = run.mem_kind;
  memory.peak_simulated = gib_of(scenarios::stage_memory(run.scenario, run.scenario.baseline,
                                                         sim::StageChoice::largest, workspace),
                                 run.mem_kind);
}

/// A step that ended, of a run whose time is worth comparing.
bool is_timed(const Measurement& row) {
  return row.status == MeasurementStatus::ok && row.quality != MeasurementQuality::early_pp &&
         (row.step_time_s || row.tokens_per_s_per_gpu);
}

/// What took a measured and a simulated time, in seconds.
struct TimedWork {
  double measured = 0.0;
  double simulated = 0.0;
  double amount = 0.0;                                     ///< over a time: the throughput
  std::optional<double> throughput_measured{};             ///< where the source states one
  std::array<sim::Seconds, sim::step_part_count> parts{};  ///< of the simulated step
};

/// Writes nothing where a measured time is so small or large that no number says how far off the
/// simulated one is.
void write_times(const TimedWork& work, ValidatedRow& row) {
  const double rel_error = (work.simulated - work.measured) / work.measured;
  const double speed = work.throughput_measured.value_or(work.amount / work.measured);
  if (!std::isfinite(rel_error) || !std::isfinite(speed)) return;
  row.step_time_measured = work.measured;
  row.step_time_simulated = work.simulated;
  row.throughput_measured = speed;
  row.throughput_simulated = work.amount / work.simulated;
  row.rel_error = rel_error;
  row.breakdown = work.parts;
}

ValidatedRow named_row(RowKind kind, const std::string& id, const std::string& family,
                       const TableName& table) {
  return {.kind = kind, .id = id, .source = table.source, .file = table.file, .family = family};
}

/// Writes the verdict on memory where there is one, or why the run cannot be simulated. Leaves the
/// program of the run in `workspace`; returns what its step takes, on a device whose memory holds
/// anything.
sim::StepReport simulate(const MappedRun& mapped, sim::Workspace& workspace, ValidatedRow& row) {
  row.reason = mapped.reason;
  if (!mapped.run) return {};
  const scenarios::Scenario& scenario = mapped.run->scenario;
  sim::StepReport report = scenarios::evaluate(scenario, scenario.baseline, workspace);
  if (report.status == sim::StepStatus::invalid) {
    row.reason = "the plan cannot be laid out: " + scenarios::violation_text(report.violation);
    return report;
  }
  const sim::MemoryReport& memory = report.memory;
  row.assumed = mapped.run->assumed;
  row.memory.judged = mapped.run->judges_memory;
  if (row.memory.judged) {
    row.status_simulated = report.status;
    row.memory.demand = gib_of(sim::largest_demand(memory));
    row.memory.limit = gib_of(memory.capacity);
  }
  if (report.status == sim::StepStatus::ok) return report;
  return scenarios::evaluate_roomy(scenario, scenario.baseline, scenario.cluster.state, workspace);
}

void write_run_times(const Measurement& measured, const scenarios::Scenario& scenario,
                     const sim::StepReport& report, ValidatedRow& row) {
  write_times({.measured = measured_step(measured, scenario).value,
               .simulated = report.step.value,
               .amount = tokens_per_step(scenario) / scenario.cluster.gpus,
               .throughput_measured = measured.tokens_per_s_per_gpu,
               .parts = report.parts},
              row);
}

/// The run as its row states it, or without what names its software.
MappedRun map_played(const Measurement& measured, const TableName& table, const Played& played) {
  const Library& among = played.among ? played.among(measured, table) : library();
  if (!played.unnamed) return map_run(measured, NetworkOfRun::measured, among);
  Measurement unnamed = measured;
  unnamed.framework.clear();
  unnamed.stack.clear();
  return map_run(unnamed, NetworkOfRun::measured, among);
}

}  // namespace

Library played_by(const sim::Stack& stack, const Library& among) {
  Library one = among;
  for (auto& [name, constants] : one.stacks) constants = stack;
  return one;
}

ValidatedRow validate_row(const Measurement& measured, const TableName& table,
                          sim::Workspace& workspace, const Played& played) {
  const MappedRun mapped = map_played(measured, table, played);
  ValidatedRow row = named_row(RowKind::run, measured.id, measured.family, table);
  const sim::StepReport report = simulate(mapped, workspace, row);
  row.parts = parts_of(measured, mapped.mixture);
  if (!row.reason.empty()) return row;
  row.group = group_of(measured);
  row.n_experts = measured.n_experts;
  row.status_measured = measured.status;
  if (row.memory.judged) row.ladder = ladder_of(measured);
  row.micro_batch = mapped.run->scenario.baseline.micro_batch;
  write_memory(measured, *mapped.run, workspace, row.memory);
  if (is_timed(measured)) write_run_times(measured, mapped.run->scenario, report, row);
  return row;
}

ValidatedRow validate_row(const RecommendationMeasurement& measured, const TableName& table,
                          sim::Workspace& workspace) {
  const MappedRun mapped = map_recommendation(measured);
  ValidatedRow row = named_row(RowKind::recommendation, measured.id, family_of(measured), table);
  const sim::StepReport report = simulate(mapped, workspace, row);
  if (!row.reason.empty()) return row;
  row.group = group_of(measured);
  row.status_measured = is_out_of_memory(measured) ? MeasurementStatus::oom : row.status_measured;
  write_memory(measured, *mapped.run, workspace, row.memory);
  const scenarios::Scenario& scenario = mapped.run->scenario;
  const std::optional<double> measured_time = measured_step(measured, scenario);
  if (!measured_time) return row;
  const double samples = scenarios::samples_per_step(scenario, scenario.baseline);
  write_times({.measured = *measured_time,
               .simulated = report.step.value,
               .amount = samples,
               .throughput_measured = measured.samples_per_s,
               .parts = report.parts},
              row);
  return row;
}

ValidatedRow validate_row(const CollectiveMeasurement& measured, const TableName& table,
                          sim::Workspace& /*no program*/) {
  MappedCollective mapped = simulate_collective(measured);
  ValidatedRow row = named_row(RowKind::collective, measured.id, measured.system, table);
  if (!mapped.simulated) {
    row.reason = std::move(mapped.reason);
    return row;
  }
  row.group = group_of(measured);
  row.assumed = std::move(mapped.assumed);
  row.system = measured.system;
  row.collective = measured.collective;
  row.gpus = measured.n_gpus.value_or(0);
  row.size_bytes = measured.size_bytes.value_or(0.0);
  if (const auto seconds = seconds_of(measured, mapped.ranks)) {
    write_times(
        {.measured = *seconds, .simulated = mapped.simulated->value, .amount = row.size_bytes},
        row);
  }
  return row;
}

}  // namespace cubicbench::datasets
