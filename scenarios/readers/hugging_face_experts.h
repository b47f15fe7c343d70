#pragma once

#include "sim/workload/transformer.h"
#include "support/json/object_reader.h"

namespace cubicbench::scenarios {

/// What the layers of an architecture with experts have beyond those of a Llama, from a Hugging
/// Face `config.json` whose other keys were read into `model`. Problems are added to the reader's.

/// Experts as wide as `intermediate_size` in every layer; GPT-OSS has the same keys.
void add_mixtral(support::ObjectReader& in, sim::Transformer& model);

/// As Mixtral under another name of the experts' number.
void add_olmoe(support::ObjectReader& in, sim::Transformer& model);

/// Experts in every layer but the first or all but every n-th; Qwen 3's.
void add_qwen_moe(support::ObjectReader& in, sim::Transformer& model);

/// The same with a shared expert.
void add_qwen2_moe(support::ObjectReader& in, sim::Transformer& model);

/// Latent attention, shared experts, dense layers at the front, prediction layers. Groups of
/// experts that a token is limited to are taken to be nodes, as they are in training.
void add_deepseek(support::ObjectReader& in, sim::Transformer& model);

}  // namespace cubicbench::scenarios
