#include <optional>
#include <string_view>

#include "datasets/mapping/measured_run.h"
#include "datasets/mapping/named_parts.h"
#include "results/validation/row_keys.h"
#include "results/validation/simulated_run.h"
#include "results/validation/validate_row.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/evaluation/stage_memory.h"
#include "scenarios/evaluation/stage_replay.h"

namespace cubicbench::results {
namespace {

using datasets::Measurement;
using datasets::MeasurementQuality;
using datasets::MeasurementStatus;

constexpr double gibibyte = 0x1p30;

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
  if (kind == "reserved") return memory.reserved.value / gibibyte;
  if (kind == "allocated") return memory.allocated.value / gibibyte;
  if (kind == "device") return memory.device.value / gibibyte;
  return std::nullopt;
}

/// nanotron's first pipeline engine waited for the device at every exchange of stages
/// [docs/measured-runs.md].
scenarios::StageExchange exchange_of(const Measurement& row) {
  return row.quality == MeasurementQuality::early_pp ? scenarios::StageExchange::waits
                                                     : scenarios::StageExchange::runs_ahead;
}

/// The allocator's cache depends on the order of requests: what the replay is for.
double replayed_gib(const Measurement& measured, const scenarios::Scenario& scenario,
                    const sim::Workspace& workspace) {
  const sim::StageChoice choice = stage_of(measured.mem_rank, sim::StageChoice::largest);
  return scenarios::replayed_stage_memory(scenario, scenario.baseline, choice,
                                          exchange_of(measured), workspace)
             .reserved.value /
         gibibyte;
}

void write_memory(const Measurement& measured, const datasets::MeasuredRun& run,
                  const sim::Workspace& workspace, ValidatedMemory& memory) {
  memory.peak_measured = measured.peak_mem_gib;
  memory.kind = run.mem_kind;
  memory.rank = measured.mem_rank;
  const auto stage = [&](sim::StageChoice otherwise) {
    return scenarios::stage_memory(run.scenario, run.scenario.baseline,
                                   stage_of(measured.mem_rank, otherwise), workspace);
  };
  memory.peak_simulated = run.mem_kind == "reserved" && measured.peak_mem_gib
                              ? replayed_gib(measured, run.scenario, workspace)
                              : gib_of(stage(sim::StageChoice::largest), run.mem_kind);
  if (logs_static_state(measured)) {
    memory.static_measured = measured.peak_alloc_gib;
    memory.static_simulated = stage(sim::StageChoice::first).static_state.value / gibibyte;
  }
}

/// A step that ended, of a run whose time is worth comparing.
bool is_timed(const Measurement& row) {
  return row.status == MeasurementStatus::ok && row.quality != MeasurementQuality::early_pp &&
         (row.step_time_s || row.tokens_per_s_per_gpu);
}

void write_run_times(const Measurement& measured, const scenarios::Scenario& scenario,
                     const SimulatedRun& run, ValidatedRow& row) {
  const double gpus = scenario.cluster.gpus;
  const double tokens =
      scenarios::tokens_per_s(scenario, scenario.baseline, sim::Seconds{1.0}).value_or(0.0);
  const std::optional<double>& speed = measured.tokens_per_s_per_gpu;
  const double step = measured.step_time_s ? *measured.step_time_s : tokens / (*speed * gpus);
  write_times(run, {.measured = step, .amount = tokens / gpus, .throughput_measured = speed}, row);
}

}  // namespace

RowOutcome validate_row(const Measurement& measured, const TableName& table,
                        sim::Workspace& workspace) {
  const datasets::MappedRun mapped = datasets::map_run(measured, datasets::NetworkOfRun::measured);
  const SimulatedRun run = simulate_run(mapped, workspace);
  ValidatedRow row;
  row.kind = RowKind::run;
  row.id = measured.id;
  row.source = table.source;
  row.file = table.file;
  row.family = measured.family;
  row.parts = datasets::parts_of(measured, mapped.mixture);
  if (!run.refusal.empty()) return skipped_row(std::move(row), run.refusal);
  const scenarios::Scenario& scenario = mapped.run->scenario;
  row.group = group_of(measured);
  row.n_experts = measured.n_experts;
  row.status_measured = measured.status;
  row.ladder = ladder_of(measured);
  row.micro_batch = scenario.baseline.micro_batch;
  row.assumed = mapped.run->assumed;
  write_verdict(run, row);
  write_memory(measured, *mapped.run, workspace, row.memory);
  if (is_timed(measured)) write_run_times(measured, scenario, run, row);
  return row;
}

}  // namespace cubicbench::results
