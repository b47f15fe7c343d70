#include "sim/program/ends_writer.h"

#include <cmath>

#include "sim/base/units.h"

namespace cubicbench::sim {

double rank_vocabulary(const Transformer& model, const Plan& plan) {
  constexpr double columns = 128.0;
  const double share = real(model.vocabulary) / real(plan.tensor_parallel);
  return plan.tensor_parallel == 1 ? share : std::ceil(share / columns) * columns;
}

void EndsWriter::write() {
  block(BlockId::embedding, 0.0, [&] { embedding(); });
  block(BlockId::head, 0.0, [&] { head(); });
  if (model_.prediction_layers > 0) block(BlockId::prediction, 0.0, [&] { prediction(); });
}

void EndsWriter::embedding() {
  // Forward reads and writes a row in 16 bits; backward reads one and adds it up in fp32.
  memory_bound(Bytes{tokens_ * h_ * 14.0}, StepPart::memory_bound);
  tensor_traffic({.gathers = 1.0, .scatters = 1.0, .reductions = 1.0}, plan_.param_dtype);
}

void EndsWriter::head() {
  const GemmShape shape{tokens_, rank_vocabulary(model_, plan_), h_};
  gemm(shape, 1.0, whole_dtype(), StepPart::head_and_loss);
  gemm({shape.m, shape.k, shape.n}, 1.0, whole_dtype(), StepPart::head_and_loss);
  gemm({shape.k, shape.n, shape.m}, 1.0, whole_dtype(), StepPart::head_and_loss);
  memory_bound(Bytes{stack_.logits_traffic_bytes * shape.m * shape.n}, StepPart::head_and_loss);
  tensor_traffic({.gathers = 2.0, .scatters = 1.0, .reductions = 1.0}, plan_.param_dtype);
}

/// Both inputs are normed, joined and projected to h [DeepSeekV3, section 2.2]; the embedding is
/// read again.
void EndsWriter::prediction() {
  const GemmShape shape{tokens_, h_ / real(plan_.tensor_parallel), 2.0 * h_};
  gemm(shape, 1.0, whole_dtype(), StepPart::gemm);
  gemm({shape.m, shape.k, shape.n}, 1.0, whole_dtype(), StepPart::gemm);
  gemm({shape.k, shape.n, shape.m}, 1.0, whole_dtype(), StepPart::gemm);
  const double norms =
      3.0 * 8.0 * h_ / (plan_.sequence_parallel ? real(plan_.tensor_parallel) : 1.0);
  const double factor =
      plan_.compile ? stack_.compiled_element_wise_factor : stack_.element_wise_factor;
  memory_bound(Bytes{factor * storage_bytes(plan_.param_dtype) * tokens_ * norms},
               StepPart::memory_bound);
  memory_bound(Bytes{tokens_ * h_ * 14.0}, StepPart::memory_bound);
  tensor_traffic({.gathers = 4.0, .scatters = 2.0, .reductions = 2.0}, plan_.param_dtype);
}

}  // namespace cubicbench::sim
