#include "scenarios/readers/hugging_face.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "scenarios/readers/hybrid_reader.h"
#include "scenarios/readers/layer_pattern.h"
#include "scenarios/readers/transformer_reader.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::scenarios {
namespace {

// What the layers of architectures with experts have beyond those of a Llama, added to the model
// that the other keys were read into.

/// Number of experts, and of those that a token has.
void read_counts(support::ObjectReader& in, std::string_view experts, sim::Transformer& model,
                 std::string_view first_dense_layers, std::string_view period) {
  const std::size_t before = in.problems().size();
  model.experts.count = in.integer(experts, 1, experts_max);
  model.experts.per_token = in.integer("num_experts_per_tok", 1, experts_max);
  if (in.problems().size() > before) return;
  check_experts(model, in,
                {experts, "num_experts_per_tok", "num_hidden_layers", first_dense_layers, period});
}

void add_uniform(support::ObjectReader& in, std::string_view experts, sim::Transformer& model) {
  model.experts.ffn_hidden = model.ffn_hidden;
  read_counts(in, experts, model, "num_hidden_layers", "num_hidden_layers");
}

/// Layers without experts that are named one by one: those at the front only, as a period tells
/// all others.
std::int64_t first_dense_layers(support::ObjectReader& in, std::string_view key) {
  const std::vector<support::ValueReader> named = in.optional_array(key);
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto layer = static_cast<std::int64_t>(i);
    if (named[i].integer(0, layers_max) == layer) continue;
    in.problem(
        key, "expected the first layers only, in their order, got " + support::shown(*in.raw(key)));
    break;
  }
  return static_cast<std::int64_t>(named.size());
}

/// Experts as wide as `intermediate_size` in every layer; GPT-OSS has the same keys.
void add_mixtral(support::ObjectReader& in, sim::Transformer& model) {
  add_uniform(in, "num_local_experts", model);
}

/// As Mixtral under another name of the experts' number.
void add_olmoe(support::ObjectReader& in, sim::Transformer& model) {
  add_uniform(in, "num_experts", model);
}

/// Experts in every layer but the first or all but every n-th; Qwen 3's.
void add_qwen_moe(support::ObjectReader& in, sim::Transformer& model) {
  model.experts.ffn_hidden = in.integer("moe_intermediate_size", 1, width_max);
  model.experts.first_dense_layers = first_dense_layers(in, "mlp_only_layers");
  model.experts.period = in.integer("decoder_sparse_step", 1, layers_max, 1);
  if (model.experts.first_dense_layers % model.experts.period != 0) {
    // Their period counts from the first layer, ours from the first that may have experts.
    in.problem("decoder_sparse_step", "expected a divisor of the layers in mlp_only_layers (" +
                                          std::to_string(model.experts.first_dense_layers) +
                                          "), got " + std::to_string(model.experts.period));
  }
  read_counts(in, "num_experts", model, "mlp_only_layers", "decoder_sparse_step");
}

/// The same with a shared expert.
void add_qwen2_moe(support::ObjectReader& in, sim::Transformer& model) {
  model.experts.shared_ffn_hidden = in.integer("shared_expert_intermediate_size", 0, width_max);
  add_qwen_moe(in, model);
}

/// Latent attention, shared experts, dense layers at the front, prediction layers. Groups of
/// experts that a token is limited to are taken to be nodes, as they are in training.
void add_deepseek(support::ObjectReader& in, sim::Transformer& model) {
  const std::int64_t plain = in.integer("qk_nope_head_dim", 1, width_max);
  const std::int64_t rope = in.integer("qk_rope_head_dim", 0, width_max);
  model.kv_heads = model.attention_heads;
  model.head_size = plain + rope;
  model.latent = {.query_rank = in.integer("q_lora_rank", 0, width_max, 0),
                  .key_rank = in.integer("kv_lora_rank", 1, width_max),
                  .rope_size = rope,
                  .value_size = in.integer("v_head_dim", 1, width_max)};
  model.prediction_layers = in.integer("num_nextn_predict_layers", 0, layers_max, 0);
  sim::Experts& experts = model.experts;
  experts.ffn_hidden = in.integer("moe_intermediate_size", 1, width_max);
  experts.shared_ffn_hidden =
      in.integer("n_shared_experts", 0, experts_max, 0) * experts.ffn_hidden;
  experts.first_dense_layers = in.integer("first_k_dense_replace", 0, layers_max, 0);
  experts.period = in.integer("moe_layer_freq", 1, 1, 1);
  const std::int64_t groups = in.integer("n_group", 1, experts_max, 1);
  const std::int64_t of_token = in.integer("topk_group", 1, experts_max, 1);
  if (groups > 1) experts.nodes_per_token = of_token;
  read_counts(in, "n_routed_experts", model, "first_k_dense_replace", "moe_layer_freq");
}

/// Layers of Nemotron-H: a letter or a word each.
std::vector<sim::LayerKind> layers_of_nemotron(support::ObjectReader& in) {
  std::string text;
  if (in.has("hybrid_override_pattern")) {
    text = in.string("hybrid_override_pattern");
  } else {
    constexpr std::array<std::string_view, 4> words{"mamba", "attention", "mlp", "moe"};
    for (const support::ValueReader& word : in.array("layers_block_type")) {
      text += "M*-E"[word.one_of(words)];
    }
  }
  const LayerPattern pattern = read_layer_pattern(text);
  const char* const key =
      in.has("hybrid_override_pattern") ? "hybrid_override_pattern" : "layers_block_type";
  if (!pattern.expected.empty() && in.has(key)) {
    in.problem(key, pattern.expected + ", got " + support::shown(*in.raw(key)));
  }
  return pattern.kinds;
}

sim::StateSpace state_space(support::ObjectReader& in, std::string_view heads,
                            std::string_view head_size, std::string_view state_size) {
  return {.heads = in.integer(heads, 1, heads_max),
          .head_size = in.integer(head_size, 1, width_max),
          .state_size = in.integer(state_size, 1, width_max),
          .groups = in.integer("n_groups", 1, heads_max),
          .convolution = in.integer("conv_kernel", 1, width_max, 4),
          .chunk = in.integer("chunk_size", 1, sequence_max, 256)};
}

/// Experts of Nemotron 3, in a latent width where that is stated.
void add_nemotron_experts(support::ObjectReader& in, sim::Transformer& model) {
  sim::Experts& experts = model.experts;
  experts.ffn_hidden = in.integer("moe_intermediate_size", 1, width_max);
  if (in.integer("n_shared_experts", 0, experts_max, 0) > 0) {
    experts.shared_ffn_hidden = in.integer("moe_shared_expert_intermediate_size", 1, width_max);
  }
  experts.latent_size = in.integer("moe_latent_size", 0, width_max, 0);
  read_counts(in, "n_routed_experts", model, "num_hidden_layers", "num_hidden_layers");
}

/// Layers that predict are one attention and experts, as all published ones.
void add_nemotron_prediction(support::ObjectReader& in, sim::Transformer& model) {
  model.prediction_layers = in.integer("num_nextn_predict_layers", 0, layers_max, 0);
  if (model.prediction_layers == 0) return;
  constexpr std::array<std::string_view, 1> patterns{"*E"};
  in.one_of("mtp_hybrid_override_pattern", patterns, std::size_t{0});
  model.prediction_kind = sim::LayerKind{.ffn = sim::FeedForward::experts};
}

/// Layers of a mixer, an FFN or experts each, listed one by one; FFNs with a squared ReLU.
void add_nemotron(support::ObjectReader& in, sim::Transformer& model) {
  const std::size_t before = in.problems().size();
  model.gated_ffn = false;
  if (model.head_size == 0) model.head_size = in.integer("attention_head_dim", 1, width_max, 0);
  model.pattern = layers_of_nemotron(in);
  if (in.problems().size() > before) return;
  if (model.layers != static_cast<std::int64_t>(model.pattern.size())) {
    in.problem("num_hidden_layers", "expected the number of layers that are listed (" +
                                        std::to_string(model.pattern.size()) + "), got " +
                                        std::to_string(model.layers));
  }
  model.state_space = state_space(in, "mamba_num_heads", "mamba_head_dim", "ssm_state_size");
  const bool experts = sim::has_feed_forward(model, sim::FeedForward::experts);
  if (experts) add_nemotron_experts(in, model);
  add_nemotron_prediction(in, model);
  if (in.problems().size() > before) return;
  check_state_space(model, in, {"mamba_num_heads", "n_groups"});
  check_pattern(model, in, experts, "num_hidden_layers");
}

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

/// All layers are scans.
sim::Transformer read_mamba2(support::ObjectReader& in) {
  const std::size_t before = in.problems().size();
  sim::Transformer model;
  model.layers = in.integer("num_hidden_layers", 1, layers_max);
  model.hidden = in.integer("hidden_size", 1, width_max);
  model.head_size = 0;
  model.vocabulary = in.integer("vocab_size", 1, width_max);
  model.tied_embeddings = in.boolean("tie_word_embeddings", false);
  model.pattern = {{.mixer = sim::Mixer::scan, .ffn = sim::FeedForward::none}};
  model.state_space = state_space(in, "num_heads", "head_dim", "state_size");
  const std::int64_t expand = in.integer("expand", 1, width_max, 2);
  if (in.problems().size() > before) return model;
  const std::int64_t inner = model.state_space.heads * model.state_space.head_size;
  if (inner != expand * model.hidden) {
    in.problem("num_heads", "expected heads as wide as expand x hidden_size (" +
                                std::to_string(expand * model.hidden) + "), got " +
                                std::to_string(inner));
  }
  check_state_space(model, in, {"num_heads", "n_groups"});
  return model;
}

struct Architecture {
  std::string_view name;
  sim::Transformer (*read)(support::ObjectReader&) = read_llama;
  /// Adds what its layers have beyond those of a Llama; null: nothing.
  void (*add)(support::ObjectReader&, sim::Transformer&) = nullptr;
};

constexpr std::array<Architecture, 15> architectures{{{"llama"},
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
                                                      {"kimi_k2", read_llama, add_deepseek},
                                                      {"nemotron_h", read_llama, add_nemotron},
                                                      {"mamba2", read_mamba2}}};

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
