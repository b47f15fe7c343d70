#pragma once

#include <string_view>
#include <vector>

#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// One layer a letter, as hybrids are published: M a scan, * attention, - an FFN, E experts.
inline std::vector<LayerKind> layers_of(std::string_view letters) {
  std::vector<LayerKind> layers;
  for (const char letter : letters) {
    layers.push_back({.mixer = letter == 'M'   ? Mixer::scan
                               : letter == '*' ? Mixer::attention
                                               : Mixer::none,
                      .ffn = letter == '-'   ? FeedForward::dense
                             : letter == 'E' ? FeedForward::experts
                                             : FeedForward::none});
  }
  return layers;
}

/// Nemotron-H-8B, arXiv 2504.03624, and its published configuration.
inline Transformer nemotron_h_8b() {
  return {
      .layers = 52,
      .hidden = 4096,
      .attention_heads = 32,
      .kv_heads = 8,
      .head_size = 128,
      .ffn_hidden = 21504,
      .vocabulary = 131072,
      .sequence = 8192,
      .state_space = {.heads = 128, .head_size = 64, .state_size = 128, .groups = 8, .chunk = 128},
      .pattern = layers_of("M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-")};
}

/// Nemotron 3 Nano 30B-A3B, arXiv 2512.20848, the same.
inline Transformer nemotron_3_nano() {
  return {
      .layers = 52,
      .hidden = 2688,
      .attention_heads = 32,
      .kv_heads = 2,
      .head_size = 128,
      .ffn_hidden = 1856,
      .vocabulary = 131072,
      .sequence = 8192,
      .state_space = {.heads = 64, .head_size = 64, .state_size = 128, .groups = 8, .chunk = 128},
      .experts = {.count = 128, .per_token = 6, .ffn_hidden = 1856, .shared_ffn_hidden = 3712},
      .pattern = layers_of("MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME")};
}

/// Nemotron 3 Super 120B-A12B, the same: experts in a latent width, two prediction layers.
inline Transformer nemotron_3_super() {
  return {
      .layers = 88,
      .hidden = 4096,
      .attention_heads = 32,
      .kv_heads = 2,
      .head_size = 128,
      .ffn_hidden = 2688,
      .vocabulary = 131072,
      .sequence = 8192,
      .state_space = {.heads = 128, .head_size = 64, .state_size = 128, .groups = 8, .chunk = 128},
      .experts = {.count = 512,
                  .per_token = 22,
                  .ffn_hidden = 2688,
                  .shared_ffn_hidden = 5376,
                  .latent_size = 1024},
      .pattern = layers_of("MEMEMEM*EMEMEMEM*EMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEME"
                           "M*EMEMEMEM*EMEMEMEME"),
      .prediction_layers = 2,
      .prediction_kind = LayerKind{.ffn = FeedForward::experts}};
}

}  // namespace cubicbench::sim
