#pragma once

#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Matrices of an FFN: up and down, and a gate where there is one.
constexpr double ffn_matrices(const Transformer& model) { return model.gated_ffn ? 3.0 : 2.0; }

/// Weights of a layer's latent attention on one of `ranks` that share its heads; narrow vectors are
/// whole on each [DeepSeekV2, section 2.1].
double latent_attention_parameters(const Transformer& model, double ranks);

}  // namespace cubicbench::sim
