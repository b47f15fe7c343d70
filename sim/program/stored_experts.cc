#include "sim/program/stored_experts.h"

#include "sim/base/numeric.h"
#include "sim/base/units.h"
#include "sim/program/expert_share.h"
#include "sim/program/layer_shape.h"

namespace cubicbench::sim {
namespace {

double missing_share(const Plan& plan) {
  return plan.expert_storage == ExpertStorage::ssd
             ? 1.0 - real(plan.expert_cache_thousandths) / 1000.0
             : 0.0;
}

}  // namespace

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
  const bool moments = plan.optimizer != Optimizer::sgd;
  program.expert_host_bytes = moments ? 28.0 : 12.0;
  program.expert_storage_bytes = missing_share(plan) * 2.0 * (moments ? 12.0 : 4.0);
}

double stored_experts_weights(const Transformer& model, const Plan& plan) {
  return (plan.expert_prefetch ? 2.0 : 1.0) * stored_experts(model, plan).fetched;
}

double stored_experts_gradients(const Transformer& model, const Plan& plan) {
  return stored_experts(model, plan).returned;
}

}  // namespace cubicbench::sim
