#include "sim/engine/event/event_engine.h"

#include <algorithm>
#include <variant>

#include "sim/base/check.h"
#include "sim/engine/event/folding.h"
#include "sim/engine/event/job_graph.h"
#include "sim/engine/event/player.h"
#include "sim/engine/event/transformer_script.h"
#include "sim/memory/peak_memory.h"
#include "sim/plan/validity.h"
#include "sim/program/lower_transformer.h"

namespace cubicbench::sim {
namespace {

std::vector<RankTemper> tempers_of(const EventOptions&, std::int64_t) { return {}; }

EventReport untimed(const StepReport& report) {
  EventReport result;
  result.step = report;
  return result;
}

SimTime idle(const RankState& rank) {
  return rank.parts[static_cast<std::size_t>(StepPart::pipeline_bubble)];
}

/// Time and parts of the rank that stands still least. What nothing else accounts for it waits for
/// others: in the pipeline, or for late ones.
void report_time(const std::vector<RankState>& ranks, bool pipelined, StepReport& report) {
  SimTime end{};
  for (const RankState& rank : ranks) end = std::max(end, rank.finish);
  const RankState* slowest = nullptr;
  SimTime least{};
  for (const RankState& rank : ranks) {
    const SimTime waits = idle(rank) + (end - rank.finish);
    if (slowest == nullptr || waits < least) {
      slowest = &rank;
      least = waits;
    }
  }
  SimTime known{};
  for (std::size_t i = 0; i < report.parts.size(); ++i) {
    report.parts[i] = to_seconds(slowest->parts[i]);
    known += slowest->parts[i];
  }
  const StepPart rest = pipelined ? StepPart::pipeline_bubble : StepPart::stragglers;
  report.parts[static_cast<std::size_t>(rest)] += to_seconds(end - known);
  report.step = to_seconds(end);
}

EventReport play_script(const StepScript& script, const JobGraph& job, bool pipelined,
                        const EventOptions& options, StepReport report) {
  const std::vector<RankTemper> tempers = tempers_of(options, 0);
  std::vector<std::uint64_t> colours;
  for (const JobRank& rank : job.ranks) colours.push_back(rank.stage);
  const JobGraph folded = options.fold ? fold(job, colours) : JobGraph{};
  const JobGraph& graph = options.fold ? folded : job;
  Player player(script, graph, tempers, nullptr, options.spans);
  player.play();
  EventReport result;
  result.step = report;
  result.counts = {.events = player.events(), .ranks = graph.ranks.size(), .flows = player.flows()};
  for (const RankState& rank : player.ranks()) {
    SIM_ASSERT(rank.phase == RankPhase::done, &rank - player.ranks().data(), rank.action,
               static_cast<int>(rank.phase));
  }
  report_time(player.ranks(), pipelined, result.step);
  return result;
}

EventReport play_kind(const Transformer& model, const Plan& plan, const Cluster& cluster,
                      const Stack& stack, const EventOptions& options, Workspace& workspace) {
  StepReport report;
  report.violation = check(plan, model, cluster);
  if (report.violation) {
    report.status = StepStatus::invalid;
    return untimed(report);
  }
  StepProgram& program = workspace.program;
  lower(model, plan, cluster, stack, program);
  report.micro_batches = program.micro_batches;
  report.memory =
      peak_memory(program.allocations, communicators(program.mesh, plan), cluster.device, stack);
  report.status = status_of(report.memory);
  if (report.status != StepStatus::ok) return untimed(report);
  const StepScript script = transformer_script(program, plan, cluster, stack, report.memory);
  const JobGraph job = transformer_graph(plan, cluster, program.mesh);
  return play_script(script, job, plan.pipeline_parallel > 1, options, report);
}

EventReport play_kind(const Recommendation&, const Plan&, const Cluster&, const Stack&,
                      const EventOptions&, Workspace&) {
  return {};
}

}  // namespace

EventReport play(const Workload& model, const Plan& plan, const Cluster& cluster,
                 const Stack& stack, const EventOptions& options, Workspace& workspace) {
  return std::visit(
      [&](const auto& kind) { return play_kind(kind, plan, cluster, stack, options, workspace); },
      model);
}

}  // namespace cubicbench::sim
