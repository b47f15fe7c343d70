#include "results/traced_ranks.h"

#include <algorithm>

#include "results/joined.h"
#include "results/number_text.h"
#include "scenarios/workload_kind.h"

namespace cubicbench::results {
namespace {

bool has_tables(const scenarios::Scenario& scenario) {
  return scenarios::kind_of(scenario.workload) == scenarios::WorkloadKind::recommendation;
}

std::string numbered(const char* name, std::int64_t number) {
  return std::string(name) + " " + std::to_string(number);
}

/// Dimensions lie inner to outer as tensor, context, pipeline, data (sim/plan/device_mesh).
std::vector<std::string> coordinates(const sim::Plan& plan, std::int64_t gpus, std::int64_t rank) {
  const std::int64_t stage_ranks = plan.tensor_parallel * plan.context_parallel;
  const std::int64_t pipeline_ranks = stage_ranks * plan.pipeline_parallel;
  std::vector<std::string> texts;
  if (plan.pipeline_parallel > 1) {
    texts.push_back(numbered("stage", rank / stage_ranks % plan.pipeline_parallel));
  }
  if (gpus > pipeline_ranks) texts.push_back(numbered("data", rank / pipeline_ranks));
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
  std::vector<std::int64_t> ranks;
  const std::int64_t stages = plan.pipeline_parallel;
  for (const std::int64_t stage : {std::int64_t{0}, std::int64_t{1}, stages / 2, stages - 1}) {
    const std::int64_t rank = stage * plan.tensor_parallel * plan.context_parallel;
    if (stage < stages && rank < gpus) ranks.push_back(rank);
  }
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

std::string traced_rank_name(const scenarios::Scenario& scenario, std::int64_t rank) {
  const std::string name = "rank " + grouped(static_cast<std::uint64_t>(rank));
  const std::vector<std::string> where =
      has_tables(scenario)
          ? std::vector<std::string>{numbered("node", rank / scenario.cluster.gpus_per_node)}
          : coordinates(scenario.baseline, scenario.cluster.gpus, rank);
  return where.empty() ? name : name + " (" + joined(where, ", ") + ")";
}

}  // namespace cubicbench::results
