#include "results/simulation/simulation.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "results/document/number_text.h"
#include "results/simulation/part_names.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/evaluation/violation_text.h"
#include "scenarios/problem/trial_outcome.h"
#include "scenarios/space/plan_parameters.h"
#include "sim/engine/step_energy.h"
#include "sim/plan/plan_cluster.h"
#include "support/joined.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using scenarios::Assignment;
using scenarios::SearchSpace;

std::vector<Assignment> configuration(const SearchSpace& space, const sim::Plan& plan,
                                      std::span<const std::string> sets) {
  std::vector<Assignment> config;
  const std::vector<bool> active = scenarios::active_parameters(space, plan);
  for (std::size_t i = 0; i < space.size(); ++i) {
    const scenarios::Setting* setting = space.parameters()[i].setting;
    if (active[i]) config.push_back({setting, setting->read(plan)});
  }
  for (const std::string& set : sets) {
    const scenarios::Setting* setting =
        scenarios::find_setting(std::string_view(set).substr(0, set.find('=')));
    const auto is_it = [&](const Assignment& known) { return known.setting == setting; };
    if (setting != nullptr && space.find(setting->name) < 0 &&
        std::ranges::none_of(config, is_it)) {
      config.push_back({setting, setting->read(plan)});
    }
  }
  return config;
}

std::string problems_text(const std::vector<scenarios::SpaceProblem>& problems) {
  return support::joined(problems, "; ", [](const scenarios::SpaceProblem& problem) {
    const bool placed = problem.pointer.size() > 1;
    return (placed ? problem.pointer.substr(1) + ": " : "") + problem.text;
  });
}

std::string memory_reason(const Simulation& simulation) {
  const sim::StepReport& report = simulation.report;
  const sim::MemoryReport& memory = report.memory;
  const bool at_start = report.status == sim::StepStatus::oom_init;
  std::string text = at_start ? "the largest stage" : "stage " + std::to_string(memory.stage);
  if (scenarios::kind_of(simulation.scenario.workload) == scenarios::WorkloadKind::recommendation) {
    text = "the fullest rank";
  }
  return text + " needs " + gib(at_start ? memory.demand_at_start : memory.demand) + " " +
         std::string(phrase_of(at_start ? sim::Moment::startup : memory.moment)) +
         ", and the device leaves " + gib(memory.capacity) + " for it";
}

std::string stall_reason(const PlayedStep& played) {
  return "rank " + grouped(played.stall.failed_rank) + " failed at " + duration(played.failed_at) +
         ": " + counted(played.stall.waiting, "rank waits for it", "ranks wait for it");
}

std::string time_reason(const scenarios::Job& job) {
  return "start-up and " + grouped(job.steps) +
         " steps take longer than the time limit of a job, " + duration(job.time_limit);
}

std::string deadline_reason(const scenarios::Deadline& deadline, double days) {
  return "training " + scaled(deadline.tokens) + " tokens would take " + fixed(days, 1) +
         " days, and the deadline is " + support::shortest(deadline.days) + " days";
}

std::string divergence_reason(const Simulation& simulation) {
  const scenarios::Job& job = simulation.scenario.job;
  return "training diverges with " + std::string(simulation.divergence->cause) +
         ": it shows in step " +
         grouped(sim::steps_until_divergence(simulation.divergence->after, job.steps)) + " of " +
         grouped(job.steps) + " (an assumption: truth.numeric is " +
         simulation.scenario.truth.numeric + ")";
}

std::string too_long_reason(const Simulation& simulation) {
  const std::optional<scenarios::Deadline>& deadline = simulation.scenario.objective.deadline;
  const std::optional<double>& days = simulation.training_days;
  return deadline && days && *days > deadline->days ? deadline_reason(*deadline, *days)
                                                    : time_reason(simulation.scenario.job);
}

sim::Seconds failed_at(const sim::EventOptions& options, std::int64_t rank) {
  const std::vector<sim::FailedRank>& failed = options.conditions.failed_ranks;
  const auto found = std::ranges::find(failed, rank, &sim::FailedRank::rank);
  return found == failed.end() ? sim::Seconds{} : found->at;
}

}  // namespace

StepSimulator::StepSimulator(const scenarios::Instance& truth) : truth_(truth) {
  simulation_.scenario = truth.scenario();
  simulation_.instance = truth.number();
  simulation_.salt_sha256 = truth.salt_sha256();
}

/// Plays the step, and says what it is worth: over the steps of a run, unless GPUs were late in
/// this one, whose luck is then in its time.
void StepSimulator::play(const sim::EventOptions& options) {
  const sim::Plan& plan = simulation_.scenario.baseline;
  const sim::EventReport report = scenarios::play(simulation_.scenario, plan, options, workspace_);
  simulation_.report = report.step;
  simulation_.played = {.contention = options.contention,
                        .fold = options.fold,
                        .counts = report.counts,
                        .stall = report.stall,
                        .failed_at = failed_at(options, report.stall.failed_rank)};
  if (options.late) simulation_.played->jitter = options.late->seed;
  if (report.stall) {
    simulation_.truth = {.reason = scenarios::Reason::infra};
  } else if (options.late && report.step.status == sim::StepStatus::ok) {
    simulation_.truth = {.value = scenarios::objective_value(simulation_.scenario, plan,
                                                             report.step.step,
                                                             sim::busy_time(report.step))};
  } else {
    simulation_.truth =
        truth_.true_value(plan, report.step.status, report.step.step, sim::busy_time(report.step));
  }
}

const Simulation& StepSimulator::simulate(const sim::Plan& plan, const sim::EventOptions* event) {
  scenarios::Scenario& scenario = simulation_.scenario;
  scenario.baseline = plan;
  scenario.cluster.gpus = sim::gpus_of(plan, truth_.scenario().cluster);
  simulation_.divergence = truth_.divergence(plan);
  const scenarios::Placement placement = scenario.space.from_plan(plan);
  simulation_.in_space = placement.in_space();
  simulation_.outside = problems_text(placement.problems);
  if (event != nullptr) {
    play(*event);
  } else {
    simulation_.played.reset();
    simulation_.report = scenarios::evaluate(scenario, plan, workspace_);
    simulation_.truth = truth_.true_value(plan, simulation_.report.status, simulation_.report.step,
                                          sim::busy_time(simulation_.report));
  }
  simulation_.training_days.reset();
  if (scenario.objective.deadline && has_step(simulation_)) {
    simulation_.training_days = truth_.training_days(plan, simulation_.report.step);
  }
  return simulation_;
}

Simulation simulate(const scenarios::Scenario& scenario, std::span<const std::string> sets,
                    std::uint64_t instance, const sim::EventOptions* event) {
  const scenarios::Instance truth(scenario, instance);
  StepSimulator simulator(truth);
  const sim::Plan& plan = truth.scenario().baseline;
  Simulation result = simulator.simulate(plan, event);
  std::ranges::copy_if(sets, std::back_inserter(result.changes), [](const std::string& set) {
    return set.substr(0, set.find('=')).find('.') != std::string::npos;
  });
  result.config = configuration(result.scenario.space, plan, sets);
  if (result.report.status != sim::StepStatus::invalid) {
    result.replay =
        scenarios::replay_stage(result.scenario, plan, sim::StageChoice::largest,
                                scenarios::StageExchange::runs_ahead, simulator.workspace());
  }
  return result;
}

bool has_step(const Simulation& simulation) {
  const bool stalled = simulation.played && simulation.played->stall;
  return simulation.report.status == sim::StepStatus::ok && !stalled;
}

std::string_view status_of(const Simulation& simulation) {
  const bool ended = has_step(simulation) || simulation.report.status != sim::StepStatus::ok;
  return ended ? name_of(simulation.report.status) : name_of(scenarios::Reason::infra);
}

std::optional<std::string> reason(const Simulation& simulation) {
  const sim::StepStatus status = simulation.report.status;
  const scenarios::Reason truth = simulation.truth.reason;
  if (status == sim::StepStatus::invalid) {
    return scenarios::violation_text(simulation.report.violation);
  }
  if (status != sim::StepStatus::ok) return memory_reason(simulation);
  if (!has_step(simulation)) return stall_reason(*simulation.played);
  if (truth == scenarios::Reason::timeout) return too_long_reason(simulation);
  if (truth == scenarios::Reason::numeric) return divergence_reason(simulation);
  return std::nullopt;
}

sim::Bytes reserved_memory(const Simulation& simulation) {
  const bool replayed = simulation.replay && simulation.replay->reserved;
  const sim::MemoryReport& memory = simulation.report.memory;
  return replayed ? max(*simulation.replay->reserved, memory.allocated) : memory.reserved;
}

sim::Bytes outside_memory(const Simulation& simulation) {
  return simulation.scenario.cluster.device.memory - simulation.report.memory.capacity;
}

std::optional<sim::StepPart> bound_by(const Simulation& simulation) {
  if (!has_step(simulation)) return std::nullopt;
  const auto& parts = simulation.report.parts;
  return static_cast<sim::StepPart>(std::ranges::max_element(parts) - parts.begin());
}

}  // namespace cubicbench::results
