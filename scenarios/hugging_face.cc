#include "scenarios/hugging_face.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "scenarios/object_reader.h"
#include "scenarios/strict_json.h"
#include "scenarios/workload_reader.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::array<std::string_view, 4> architectures{"llama", "mistral", "qwen2", "gpt2"};

/// Llama's keys, which Mistral and Qwen 2 share.
sim::Transformer read_llama(ObjectReader& in) {
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

sim::Transformer read_gpt2(ObjectReader& in) {
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

}  // namespace

sim::Transformer read_hugging_face(const Document& document, std::int64_t sequence,
                                   std::vector<Problem>& problems) {
  const auto json = parse_json(document.text, document.file);
  ObjectReader in(json, document.file, "", problems);
  const std::size_t before = problems.size();
  const std::size_t architecture = in.one_of("model_type", architectures);
  if (problems.size() > before) {
    return {};  // the other keys mean nothing without their architecture
  }
  const bool gpt2 = architecture == 3;
  sim::Transformer model = gpt2 ? read_gpt2(in) : read_llama(in);
  model.sequence = sequence;
  if (problems.size() == before) {
    const TransformerKeys keys =
        gpt2 ? TransformerKeys{"n_embd", "n_head", "n_head"}
             : TransformerKeys{"hidden_size", "num_attention_heads", "num_key_value_heads"};
    complete_heads(model, in, keys);
  }
  return model;
}

}  // namespace cubicbench::scenarios
