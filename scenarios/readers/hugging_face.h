#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/catalog.h"
#include "sim/workload/transformer.h"
#include "support/input_error.h"

namespace cubicbench::scenarios {

/// The model of a Hugging Face `config.json`: architectures llama, mistral, qwen2, qwen3 and gpt2;
/// of those with experts mixtral, qwen2_moe, qwen3_moe, olmoe, gpt_oss, deepseek_v2, deepseek_v3
/// and kimi_k2; with state-space layers nemotron_h and mamba2. Keys that do not shape the
/// computation are ignored, because such files hold many; so are windows of attention. Problems are
/// added; anything but a JSON document throws InputError.
sim::Transformer read_hugging_face(const Document& document, std::int64_t sequence,
                                   std::vector<support::Problem>& problems);

}  // namespace cubicbench::scenarios
