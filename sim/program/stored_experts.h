#pragma once

#include "sim/plan/plan.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// What a rank moves of a layer's experts that are stored in host memory or on SSD, in bytes a pass
/// of a micro-batch [SE-MoE, section 3.1; docs/models.md, Eq. X-8].
struct StoredExperts {
  double activated = 1.0;  ///< share of its experts that a token of the micro-batch is sent to
  double fetched = 0.0;    ///< weights of those, to the device
  double returned = 0.0;   ///< their gradients, from it
  double read = 0.0;       ///< of `fetched`, from SSD because no cache in host memory has them
};

StoredExperts stored_experts(const Transformer& model, const Plan& plan);

/// Writes what updating stored experts streams, a parameter: 28 bytes through host memory (weight,
/// both moments and gradient in fp32 read, all but the last written; without moments 12), and for
/// what is not cached weight and moments from SSD and back.
void add_stored_update(const Plan& plan, StepProgram& program);

/// Bytes of the device for them: 4 a S / L, weights and gradients of one layer's experts that are
/// used, and with prefetch the next layer's weights as well [SE-MoE, section 3.1].
double stored_experts_weights(const Transformer& model, const Plan& plan);
double stored_experts_gradients(const Transformer& model, const Plan& plan);

}  // namespace cubicbench::sim
