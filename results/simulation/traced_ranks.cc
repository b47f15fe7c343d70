#include "results/simulation/traced_ranks.h"

#include <set>
#include <variant>

#include "results/document/number_text.h"
#include "scenarios/space/workload_kind.h"
#include "sim/plan/device_mesh.h"
#include "sim/program/lower_transformer.h"
#include "sim/workload/transformer.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

bool has_tables(const scenarios::Scenario& scenario) {
  return scenarios::kind_of(scenario.workload) == scenarios::WorkloadKind::recommendation;
}

std::string numbered(const char* name, std::int64_t number) {
  return std::string(name) + " " + std::to_string(number);
}

sim::RankOrder order_of(const scenarios::Scenario& scenario) {
  const auto* model = std::get_if<sim::Transformer>(&scenario.workload);
  return {scenario.baseline, scenario.cluster.gpus,
          model != nullptr && sim::lays_stages_outermost(*model, scenario.stack)};
}

/// Members of a stage lie inner to outer as tensor, context, data.
std::vector<std::string> coordinates(const scenarios::Scenario& scenario, std::int64_t rank) {
  const sim::Plan& plan = scenario.baseline;
  const sim::StagePlace place = order_of(scenario).place(rank);
  const std::int64_t replica_ranks = plan.tensor_parallel * plan.context_parallel;
  std::vector<std::string> texts;
  if (plan.pipeline_parallel > 1) texts.push_back(numbered("stage", place.stage));
  if (scenario.cluster.gpus > replica_ranks * plan.pipeline_parallel) {
    texts.push_back(numbered("data", place.member / replica_ranks));
  }
  if (plan.context_parallel > 1) {
    texts.push_back(numbered("context", rank / plan.tensor_parallel % plan.context_parallel));
  }
  if (plan.tensor_parallel > 1) texts.push_back(numbered("tensor", rank % plan.tensor_parallel));
  return texts;
}

}  // namespace

std::vector<std::int64_t> telling_ranks(const scenarios::Scenario& scenario) {
  const sim::Plan& plan = scenario.baseline;
  const std::int64_t gpus = scenario.cluster.gpus;
  if (has_tables(scenario)) {
    const std::int64_t node = scenario.cluster.gpus_per_node;
    return node < gpus ? std::vector<std::int64_t>{0, node} : std::vector<std::int64_t>{0};
  }
  std::set<std::int64_t> ranks;
  const std::int64_t stages = plan.pipeline_parallel;
  for (const std::int64_t stage : {std::int64_t{0}, std::int64_t{1}, stages / 2, stages - 1}) {
    const std::int64_t rank = order_of(scenario).rank({.stage = stage});
    if (stage < stages && rank < gpus) ranks.insert(rank);
  }
  return {ranks.begin(), ranks.end()};
}

std::vector<std::int64_t> first_ranks(const scenarios::Scenario& scenario, std::int64_t stages) {
  std::set<std::int64_t> ranks;
  for (std::int64_t stage = 0; stage < stages; ++stage) {
    const std::int64_t rank = order_of(scenario).rank({.stage = stage});
    if (rank < scenario.cluster.gpus) ranks.insert(rank);
  }
  return {ranks.begin(), ranks.end()};
}

std::string short_rank_name(const scenarios::Scenario& scenario, std::int64_t rank) {
  std::string name = "rank " + grouped(rank);
  if (has_tables(scenario) || scenario.baseline.pipeline_parallel == 1) return name;
  return numbered("stage", order_of(scenario).place(rank).stage) + ", " + name;
}

std::string traced_rank_name(const scenarios::Scenario& scenario, std::int64_t rank) {
  const std::string name = "rank " + grouped(rank);
  const std::vector<std::string> where =
      has_tables(scenario)
          ? std::vector<std::string>{numbered("node", rank / scenario.cluster.gpus_per_node)}
          : coordinates(scenario, rank);
  return where.empty() ? name : name + " (" + support::joined(where, ", ") + ")";
}

}  // namespace cubicbench::results
