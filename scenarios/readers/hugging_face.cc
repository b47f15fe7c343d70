#include "scenarios/readers/hugging_face.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "scenarios/readers/hugging_face_experts.h"
#include "scenarios/readers/transformer_reader.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::scenarios {
namespace {

constexpr TransformerKeys llama_keys{"hidden_size", "num_attention_heads", "num_key_value_heads"};
constexpr TransformerKeys gpt2_keys{"n_embd", "n_head", "n_head"};

/// Llama's keys, which nearly all later architectures share.
sim::Transformer read_llama(support::ObjectReader& in) {
  sim::Transformer model;
  model.layers = in.integer("num_hidden_layers", 1, layers_max);
  model.hidden = in.integer("hidden_size", 1, width_max);
  model.attention_heads = in.integer("num_attention_heads", 1, heads_max);
  model.kv_heads = in.integer("num_key_value_heads", 1, heads_max, model.attention_heads);
  model.head_size = in.integer("head_dim", 1, width_max, 0);
  model.ffn_hidden = in.integer("intermediate_size", 1, width_max);
  model.gated_ffn = true;
  model.vocabulary = in.integer("vocab_size", 1, width_max);
  model.tied_embeddings = in.boolean("tie_word_embeddings", false);
  return model;
}

sim::Transformer read_gpt2(support::ObjectReader& in) {
  sim::Transformer model;
  model.layers = in.integer("n_layer", 1, layers_max);
  model.hidden = in.integer("n_embd", 1, width_max);
  model.attention_heads = in.integer("n_head", 1, heads_max);
  model.kv_heads = model.attention_heads;
  model.head_size = 0;
  model.ffn_hidden = in.integer("n_inner", 1, width_max, 4 * model.hidden);
  model.vocabulary = in.integer("vocab_size", 1, width_max);
  model.tied_embeddings = in.boolean("tie_word_embeddings", true);
  return model;
}

struct Architecture {
  std::string_view name;
  sim::Transformer (*read)(support::ObjectReader&) = read_llama;
  /// Adds what its layers have beyond those of a Llama; null: nothing.
  void (*add)(support::ObjectReader&, sim::Transformer&) = nullptr;
};

constexpr std::array<Architecture, 13> architectures{{{"llama"},
                                                      {"mistral"},
                                                      {"qwen2"},
                                                      {"qwen3"},
                                                      {"gpt2", read_gpt2},
                                                      {"mixtral", read_llama, add_mixtral},
                                                      {"qwen2_moe", read_llama, add_qwen2_moe},
                                                      {"qwen3_moe", read_llama, add_qwen_moe},
                                                      {"olmoe", read_llama, add_olmoe},
                                                      {"gpt_oss", read_llama, add_mixtral},
                                                      {"deepseek_v2", read_llama, add_deepseek},
                                                      {"deepseek_v3", read_llama, add_deepseek},
                                                      {"kimi_k2", read_llama, add_deepseek}}};

constexpr auto architecture_names = [] {
  std::array<std::string_view, architectures.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = architectures[i].name;
  return names;
}();

}  // namespace

sim::Transformer read_hugging_face(const Document& document, std::int64_t sequence,
                                   std::vector<support::Problem>& problems) {
  const auto json = support::parse_json(document.text, document.file);
  support::ObjectReader in(json, document.file, "", problems);
  const std::size_t before = problems.size();
  const std::size_t index = in.one_of("model_type", architecture_names);
  if (problems.size() > before) {
    return {};  // the other keys mean nothing without their architecture
  }
  const Architecture& architecture = architectures[index];
  sim::Transformer model = architecture.read(in);
  if (architecture.add != nullptr) architecture.add(in, model);
  model.sequence = sequence;
  if (problems.size() == before) {
    complete_heads(model, in, architecture.read == read_gpt2 ? gpt2_keys : llama_keys);
  }
  return model;
}

}  // namespace cubicbench::scenarios
