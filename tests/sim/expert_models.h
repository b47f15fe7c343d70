#pragma once

#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Mixtral 8x7B, arXiv 2401.04088, Table 1.
inline Transformer mixtral_8x7b() {
  return {.layers = 32,
          .hidden = 4096,
          .attention_heads = 32,
          .kv_heads = 8,
          .head_size = 128,
          .ffn_hidden = 14336,
          .gated_ffn = true,
          .vocabulary = 32000,
          .sequence = 4096,
          .experts = {.count = 8, .per_token = 2, .ffn_hidden = 14336}};
}

/// arXiv 2412.19437, section 4.2.
inline Transformer deepseek_v3() {
  return {.layers = 61,
          .hidden = 7168,
          .attention_heads = 128,
          .kv_heads = 128,
          .head_size = 192,
          .ffn_hidden = 18432,
          .gated_ffn = true,
          .vocabulary = 129280,
          .sequence = 4096,
          .latent = {.query_rank = 1536, .key_rank = 512, .rope_size = 64, .value_size = 128},
          .experts = {.count = 256,
                      .per_token = 8,
                      .ffn_hidden = 2048,
                      .shared_ffn_hidden = 2048,
                      .first_dense_layers = 3,
                      .nodes_per_token = 4},
          .prediction_layers = 1};
}

/// Qwen3-235B-A22B, arXiv 2505.09388, Table 2, and its published configuration.
inline Transformer qwen3_235b() {
  return {.layers = 94,
          .hidden = 4096,
          .attention_heads = 64,
          .kv_heads = 4,
          .head_size = 128,
          .ffn_hidden = 12288,
          .gated_ffn = true,
          .vocabulary = 151936,
          .sequence = 4096,
          .experts = {.count = 128, .per_token = 8, .ffn_hidden = 1536}};
}

/// Qwen3-30B-A3B, the same.
inline Transformer qwen3_30b() {
  return {.layers = 48,
          .hidden = 2048,
          .attention_heads = 32,
          .kv_heads = 4,
          .head_size = 128,
          .ffn_hidden = 6144,
          .gated_ffn = true,
          .vocabulary = 151936,
          .sequence = 4096,
          .experts = {.count = 128, .per_token = 8, .ffn_hidden = 768}};
}

/// gpt-oss-120b, arXiv 2508.10925, Table 1; biases left out.
inline Transformer gpt_oss_120b() {
  return {.layers = 36,
          .hidden = 2880,
          .attention_heads = 64,
          .kv_heads = 8,
          .head_size = 64,
          .ffn_hidden = 2880,
          .gated_ffn = true,
          .vocabulary = 201088,
          .sequence = 4096,
          .experts = {.count = 128, .per_token = 4, .ffn_hidden = 2880}};
}

}  // namespace cubicbench::sim
