#include "sim/program/expert_share.h"

#include <algorithm>
#include <cmath>

#include "sim/base/numeric.h"
#include "sim/base/slowest.h"
#include "sim/base/units.h"
#include "sim/program/layer_shape.h"

namespace cubicbench::sim {
namespace {

double missing_share(const Plan& plan) {
  return plan.expert_storage == ExpertStorage::ssd
             ? 1.0 - real(plan.expert_cache_thousandths) / 1000.0
             : 0.0;
}

}  // namespace

ExpertShare expert_share(const Transformer& model, const Plan& plan) {
  constexpr double row_group = 8.0;
  const Experts& experts = model.experts;
  const double sharing = real(plan.expert_tensor_parallel);
  ExpertShare share;
  share.tokens = micro_batch_tokens(model, plan) / real(plan.tensor_parallel);
  share.load = busiest_load(experts, plan.expert_parallel);
  share.copies = share.tokens * real(experts.per_token) * share.load;
  share.computed = share.copies * sharing;
  share.experts = real(experts.count / plan.expert_parallel);
  share.rows = std::ceil(share.computed / share.experts / row_group) * row_group;
  share.width = real(experts.ffn_hidden) / sharing;
  return share;
}

double busiest_load(const Experts& experts, std::int64_t ranks) {
  if (experts.capacity_thousandths > 0) return real(experts.capacity_thousandths) / 1000.0;
  if (ranks == 1 || experts.load_deviation_thousandths == 0) return 1.0;
  const double all = real(experts.count);
  const double own = all / real(ranks);
  const double deviation = real(experts.load_deviation_thousandths) / 1000.0 *
                           std::sqrt((all - own) / (own * (all - 1.0)));
  return std::min(1.0 + latest_of(ranks) * deviation, real(ranks));
}

double distinct_groups(const Experts& experts, std::int64_t groups, std::int64_t reachable) {
  const double size = real(experts.count) / real(groups);
  const double among = real(std::min(groups, reachable));
  double none = 1.0;  // chance that a reachable group has none of them
  for (std::int64_t i = 0; i < experts.per_token; ++i) {
    const double left = among * size - real(i);
    none *= left > 0.0 ? std::max(0.0, left - size) / left : 0.0;
  }
  return among * (1.0 - none);
}

DispatchCopies dispatch_copies(const Experts& experts, ExpertDispatch dispatch,
                               const Group& expert) {
  const std::int64_t nodes = nodes_of(expert);
  const std::int64_t limit = experts.nodes_per_token > 0 ? experts.nodes_per_token : nodes;
  const std::int64_t ranks = std::min(nodes, limit) * expert.ranks_per_node;
  DispatchCopies copies;
  copies.across = distinct_groups(experts, nodes, limit);
  copies.on_node = dispatch == ExpertDispatch::deepep
                       ? distinct_groups(experts, expert.ranks, ranks)
                       : real(experts.per_token);
  return copies;
}

StoredExperts stored_experts(const Transformer& model, const Plan& plan) {
  const Experts& experts = model.experts;
  const double tokens =
      expert_share(model, plan).tokens * real(plan.expert_parallel * plan.expert_tensor_parallel);
  const double missed_by_one = 1.0 - real(experts.per_token) / real(experts.count);
  StoredExperts stored;
  stored.activated = 1.0 - (missed_by_one > 0.0 ? pow(missed_by_one, tokens) : 0.0);
  const double parameters = stored.activated * rank_expert_parameters(model, plan);
  stored.fetched = storage_bytes(plan.param_dtype) * parameters;
  stored.returned = storage_bytes(plan.param_dtype) * parameters;
  stored.read = missing_share(plan) * stored.fetched;
  return stored;
}

void add_stored_update(const Plan& plan, StepProgram& program) {
  const double moments = state_bytes(plan.optimizer);
  program.expert_host_bytes = 12.0 + 2.0 * moments;
  program.expert_storage_bytes = missing_share(plan) * 2.0 * (4.0 + moments);
}

double stored_experts_weights(const Transformer& model, const Plan& plan) {
  return (plan.expert_prefetch ? 2.0 : 1.0) * stored_experts(model, plan).fetched;
}

double stored_experts_gradients(const Transformer& model, const Plan& plan) {
  return stored_experts(model, plan).returned;
}

}  // namespace cubicbench::sim
