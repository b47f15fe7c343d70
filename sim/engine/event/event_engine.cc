#include "sim/engine/event/event_engine.h"

#include <algorithm>
#include <numeric>
#include <variant>
#include <vector>

#include "sim/base/check.h"
#include "sim/engine/analytical.h"
#include "sim/engine/event/folding.h"
#include "sim/engine/event/job_graph.h"
#include "sim/engine/event/job_loads.h"
#include "sim/engine/event/periodic_folding.h"
#include "sim/engine/event/player.h"
#include "sim/engine/event/script_writer.h"
#include "sim/engine/event/span_writer.h"
#include "sim/engine/event/transfers.h"
#include "sim/engine/event/weight_script.h"

namespace cubicbench::sim {
namespace {

SimTime part_of(const RankState& rank, StepPart part) {
  return rank.parts[static_cast<std::size_t>(part)];
}

/// What a rank does or is late by itself, without waiting for anyone.
SimTime own_time(const RankState& rank) {
  SimTime sum{};
  for (const StepPart part :
       {StepPart::gemm, StepPart::attention, StepPart::memory_bound, StepPart::head_and_loss,
        StepPart::recompute, StepPart::host, StepPart::optimizer, StepPart::stragglers,
        StepPart::embedding_lookup, StepPart::embedding_host, StepPart::embedding_fixed,
        StepPart::expert_storage}) {
    sum += part_of(rank, part);
  }
  return sum;
}

/// Time and parts of the slowest rank: the one that stands still least in the pipeline, of equal
/// ones the one that does most by itself. What nothing else accounts for it waits for others: in
/// the pipeline, or for late ones. Where steps overlap, what a rank waits before its first pass
/// belongs to the step before.
void report_time(std::vector<RankState> ranks, bool pipelined, bool overlap, StepReport& report) {
  SimTime end{};
  for (RankState& rank : ranks) {
    if (overlap) {
      rank.finish -= rank.lead;
      rank.parts[static_cast<std::size_t>(StepPart::pipeline_bubble)] -= rank.lead;
    }
    end = std::max(end, rank.finish);
  }
  const RankState* slowest = nullptr;
  SimTime least{};
  for (const RankState& rank : ranks) {
    const SimTime waits = part_of(rank, StepPart::pipeline_bubble) + (end - rank.finish);
    const bool same = slowest != nullptr && waits == least;
    if (slowest == nullptr || waits < least || (same && own_time(*slowest) < own_time(rank))) {
      slowest = &rank;
      least = waits;
    }
  }
  auto parts = slowest->parts;
  SimTime known{};
  for (const SimTime part : parts) known += part;
  const StepPart rest = pipelined ? StepPart::pipeline_bubble : StepPart::stragglers;
  // Kernels of a slow rank are rounded one by one: their parts may be some picoseconds too long.
  SimTime& last =
      known > end ? *std::ranges::max_element(parts) : parts[static_cast<std::size_t>(rest)];
  last += end - known;
  for (std::size_t i = 0; i < parts.size(); ++i) report.parts[i] = to_seconds(parts[i]);
  report.step = to_seconds(end);
}

/// At the moment and of the stage that `memory` is of.
Bytes peak_of(const std::vector<RankState>& ranks, const JobGraph& graph,
              const MemoryReport& memory, bool pipelined) {
  Bytes peak;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (pipelined && graph.ranks[i].stage != memory.stage) continue;
    peak = max(peak, ranks[i].peaks[static_cast<std::size_t>(memory.moment)]);
  }
  return peak;
}

/// A job that is ready to be played.
struct Job {
  StepScript script;
  JobShape shape;
  RoleGroups groups;
  bool pipelined = false;
};

/// `tempers` are those of `ranks`.
Stall stall_of(const std::vector<RankState>& ranks, const std::vector<RankTemper>& tempers,
               const JobGraph& graph) {
  Stall stall;
  SimTime first{};
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i].phase == RankPhase::failed) {
      if (stall.failed == 0 || tempers[i].fails_at < first) {
        stall.failed_rank = graph.ranks[i].rank;
        first = tempers[i].fails_at;
      }
      stall.failed += graph.ranks[i].stands_for;
    } else if (ranks[i].phase != RankPhase::done) {
      stall.waiting += graph.ranks[i].stands_for;
    }
  }
  SIM_ASSERT(stall.failed > 0 || stall.waiting == 0, stall.waiting);  // a script waits for itself
  return stall;
}

/// Who plays a job.
struct Players {
  JobGraph whole;                   ///< all ranks, where they had to be listed
  JobLoads whole_loads;             ///< theirs
  std::optional<FoldedJob> folded;  ///< else all ranks play
  std::vector<RankTemper> tempers;  ///< none where no rank is special

  const JobGraph& graph() const { return folded ? folded->graph : whole; }
  const JobLoads& loads() const { return folded ? folded->loads : whole_loads; }
  std::vector<std::uint32_t> player_of() const {
    if (folded) return folded->player_of;
    std::vector<std::uint32_t> everyone(whole.ranks.size());
    std::iota(everyone.begin(), everyone.end(), 0U);
    return everyone;
  }
};

/// Whether no rank is special, and none is asked for.
bool all_are_alike(const EventOptions& options) {
  return !options.late && options.conditions == Conditions{} && options.spans == nullptr;
}

Players players_of(const Job& job, const Cluster& cluster, const EventOptions& options,
                   Seconds ideal) {
  Players players;
  if (options.fold && all_are_alike(options)) {
    players.folded = fold_periods(job.shape, job.script, job.groups, cluster, options.contention);
    if (players.folded) return players;
  }
  players.whole = job_graph(job.shape);
  const std::vector<RankTemper> tempers =
      tempers_of(options.late, options.conditions, players.whole.ranks.size(), ideal);
  if (options.contention) {
    players.whole_loads =
        job_loads(players.whole, job.script, job.groups, cluster, options.conditions);
  }
  if (options.fold) {
    players.folded = fold(players.whole, players.whole_loads, colours_of(players.whole, tempers));
  }
  const JobGraph& graph = players.graph();
  for (std::size_t i = 0; !tempers.empty() && i < graph.ranks.size(); ++i) {
    players.tempers.push_back(tempers[graph.ranks[i].rank]);
  }
  return players;
}

EventReport play_job(const Job& job, const Cluster& cluster, const EventOptions& options,
                     const StepReport& untimed_report, Seconds ideal) {
  EventReport result;
  result.step = untimed_report;
  const Players players = players_of(job, cluster, options, ideal);
  const JobGraph& graph = players.graph();
  std::optional<LinkTraffic> links;
  if (options.contention) links.emplace(graph, players.loads());
  const std::vector<std::uint32_t> player_of = players.player_of();
  std::optional<SpanWriter> spans;
  if (options.spans != nullptr) spans.emplace(players.whole, player_of, *options.spans);
  Player player(job.script, graph, players.tempers, links ? &*links : nullptr,
                spans ? &*spans : nullptr);
  player.play();
  result.counts = {.events = player.events(), .ranks = graph.ranks.size(), .flows = player.flows()};
  result.stall = stall_of(player.ranks(), players.tempers, graph);
  result.peak = peak_of(player.ranks(), graph, result.step.memory, job.pipelined);
  if (!result.stall) {
    report_time(player.ranks(), job.pipelined, job.script.steps_overlap, result.step);
  }
  return result;
}

void set(Role role, const Group& group, RoleGroups& groups) { groups[slot(role)] = group; }

void set(const WeightRoles& roles, const WeightGroups& weights, RoleGroups& groups) {
  set(roles.shard, weights.shard, groups);
  set(roles.replicate, weights.replicate, groups);
  set(roles.reshard, weights.reshard, groups);
  set(roles.replica, weights.replica, groups);
}

RoleGroups groups_of(const DeviceMesh& mesh) {
  RoleGroups groups;
  set(Role::tensor, mesh.tensor, groups);
  set(Role::context, mesh.context, groups);
  set(Role::context_heads, mesh.context_heads, groups);
  set(WeightRoles{}, mesh.weights, groups);
  set(Role::expert, mesh.expert, groups);
  set(Role::expert_node, mesh.expert_node, groups);
  set(Role::expert_across, mesh.expert_across, groups);
  set(Role::expert_tensor, mesh.expert_tensor, groups);
  set(expert_weight_roles, mesh.expert_weights, groups);
  for (std::size_t edge = 0; edge < edge_count; ++edge) set(edge_role(edge), mesh.pipeline, groups);
  return groups;
}

RoleGroups groups_of(const RecommendationProgram& program) {
  RoleGroups groups;
  for (std::size_t i = 0; i < module_group_count; ++i) {
    set(weight_roles(static_cast<ModuleGroup>(i)), program.archs[i].groups, groups);
  }
  set(Role::exchange, program.tables, groups);
  set(Role::exchange_node, program.node, groups);
  set(Role::exchange_world, program.world, groups);
  set(Role::exchange_copies, program.copies, groups);
  set(Role::input, program.tables, groups);
  return groups;
}

Job job_of(const Transformer& model, const Plan& plan, const Cluster& cluster, const Stack& stack,
           const MemoryReport& memory, const Workspace& workspace) {
  const StepProgram& program = workspace.program;
  return {.script = transformer_script(program, model, plan, cluster, stack, memory),
          .shape = transformer_shape(plan, cluster, program.mesh),
          .groups = groups_of(program.mesh),
          .pipelined = plan.pipeline_parallel > 1};
}

Job job_of(const Recommendation&, const Plan& plan, const Cluster& cluster, const Stack& stack,
           const MemoryReport& memory, const Workspace& workspace) {
  const RecommendationProgram& program = workspace.recommendation;
  return {.script = recommendation_script(program, plan, cluster, stack, memory),
          .shape = recommendation_shape(plan, cluster, program),
          .groups = groups_of(program)};
}

}  // namespace

EventReport play(const Workload& model, const Plan& plan, const Cluster& cluster,
                 const Stack& stack, const EventOptions& options, Workspace& workspace) {
  // Lowers the step and says what it needs; the time of it is only what lateness is relative to.
  const StepReport lowered = evaluate(model, plan, cluster, stack, workspace);
  StepReport report = lowered;
  report.step = {};
  report.parts = {};
  if (report.status != StepStatus::ok) {
    EventReport untimed;
    untimed.step = report;
    return untimed;
  }
  const Job job = std::visit(
      [&](const auto& kind) {
        return job_of(kind, plan, cluster, stack, report.memory, workspace);
      },
      model);
  return play_job(job, cluster, options, report, lowered.step);
}

}  // namespace cubicbench::sim
