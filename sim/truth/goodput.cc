#include "sim/truth/goodput.h"

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "sim/plan/optimizer.h"
#include "sim/plan/table_sharding.h"

namespace cubicbench::sim {
namespace {

constexpr double weight_bytes = 4.0;  // of the copy that is updated

/// e^x - 1, of small x too.
double growth(double x) {
  constexpr double small = 1e-5;
  return x < small ? x * (1.0 + 0.5 * x) : exp(x) - 1.0;
}

double bytes_of(const Transformer& model, const Plan& plan) {
  const double state = state_bytes(plan.optimizer);
  if (has_adapters(model)) {
    const double layers = real(model.layers + model.prediction_layers);
    return (weight_bytes + state) * layers * adapter_parameters(model);
  }
  const double ends = (model.tied_embeddings ? 1.0 : 2.0) * embedding_parameters(model);
  const double all = total_parameters(model);
  return (weight_bytes + state) * all - matrix_state_saved(plan.optimizer) * state * (all - ends);
}

double bytes_of(const Recommendation& model, const Plan& plan) {
  const OptimizerTraits rows = traits(plan.embedding_optimizer);
  double tables = 0.0;
  for (const TableGroup& group : model.tables) {
    const double state = state_bytes(plan.embedding_optimizer) * real(group.dim) + rows.row_bytes;
    tables += real(group.tables) * (table_bytes(group, plan) + real(group.rows) * state);
  }
  return tables + (weight_bytes + state_bytes(plan.optimizer)) * dense_parameters(model);
}

}  // namespace

TimeShares time_shares(const LongRun& run, Seconds interval) {
  SIM_ASSERT(interval > Seconds{});
  const double rate = run.failures_per_s;
  const Seconds both = interval + run.checkpoint;
  if (rate == 0.0) return {.steps = interval / both, .checkpoints = run.checkpoint / both};
  const Seconds taken{exp(rate * (run.restart + run.written).value) * growth(rate * both.value) /
                      rate};
  TimeShares shares{.steps = interval / taken,
                    .checkpoints = run.checkpoint / taken,
                    .repeated = 0.0,
                    .restarts = 1.0 - exp(-rate * run.restart.value)};
  shares.repeated = 1.0 - shares.steps - shares.checkpoints - shares.restarts;
  return shares;
}

Seconds best_interval(const LongRun& run) {
  SIM_ASSERT(run.failures_per_s > 0.0 && run.checkpoint + run.written > Seconds{});
  // u = L t grows with e^-(u + L c) - 1 + u, which is below zero at 0 and above it at 1.
  const double standing = run.failures_per_s * run.checkpoint.value;
  double below = 0.0;
  double above = 1.0;
  for (int i = 0; i < 64; ++i) {
    const double middle = 0.5 * (below + above);
    (middle - 1.0 + exp(-(middle + standing)) < 0.0 ? below : above) = middle;
  }
  return max(Seconds{above / run.failures_per_s}, run.written);
}

double waiting_share(double broken_per_repair, std::int64_t spares) {
  SIM_ASSERT(broken_per_repair >= 0.0 && spares >= 0);
  double blocked = 1.0;
  for (std::int64_t places = 1; places <= spares + 1; ++places) {
    const double offered = broken_per_repair * blocked;
    blocked = offered / (real(places) + offered);
  }
  return blocked;
}

Bytes checkpoint_bytes(const Workload& workload, const Plan& plan) {
  return Bytes{std::visit([&](const auto& model) { return bytes_of(model, plan); }, workload)};
}

}  // namespace cubicbench::sim
