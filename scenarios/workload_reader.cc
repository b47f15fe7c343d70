#include "scenarios/workload_reader.h"

#include <array>
#include <nlohmann/json.hpp>

#include "scenarios/hugging_face.h"
#include "scenarios/library_entry.h"
#include "scenarios/recommendation_reader.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::array<std::string_view, 3> kinds{"transformer", "mixture_of_experts",
                                                "recommendation"};

std::string divisor_of(const ObjectReader& in, std::string_view key, std::int64_t of,
                       std::int64_t got) {
  return "expected a divisor of " + in.pointer() + "/" + std::string(key) + " (" +
         std::to_string(of) + "), got " + std::to_string(got);
}

void read_model_file(ObjectReader& in, const std::string& directory, sim::Transformer& model) {
  const std::string path = in.string("hugging_face");
  model.sequence = in.integer("sequence", 1, sequence_max);
  in.finish();
  if (path.empty()) {
    return;
  }
  try {
    // Always a path: there is no shelf of model files.
    const std::string named = is_path(path) ? path : "./" + path;
    const Document document = find_document(Kind::scenario, named, directory, "");
    model = read_hugging_face(document, model.sequence, in.problems());
  } catch (const InputError& error) {
    in.problems().insert(in.problems().end(), error.problems().begin(), error.problems().end());
  }
}

void read_model(ObjectReader& in, sim::Transformer& model) {
  const std::size_t before = in.problems().size();
  model.layers = in.integer("layers", 1, layers_max);
  model.hidden = in.integer("hidden", 1, width_max);
  model.attention_heads = in.integer("attention_heads", 1, heads_max);
  model.kv_heads = in.integer("kv_heads", 1, heads_max, model.attention_heads);
  model.head_size = in.integer("head_size", 1, width_max, 0);
  model.ffn_hidden = in.integer("ffn_hidden", 1, width_max);
  model.gated_ffn = in.boolean("gated_ffn", false);
  model.vocabulary = in.integer("vocabulary", 1, width_max);
  model.tied_embeddings = in.boolean("tied_embeddings", false);
  model.sequence = in.integer("sequence", 1, sequence_max);
  if (in.problems().size() == before) {
    complete_heads(model, in, {"hidden", "attention_heads", "kv_heads"});
  }
  in.finish();
}

}  // namespace

bool read_workload(ObjectReader& in, const std::string& directory, sim::Workload& workload) {
  const std::size_t before = in.problems().size();
  const bool from_file = in.has("hugging_face");
  const std::size_t kind =
      from_file ? in.one_of("kind", kinds, std::size_t{0}) : in.one_of("kind", kinds);
  if (in.problems().size() > before) {
    return false;
  }
  if (kinds[kind] == "recommendation" && !from_file) {
    workload = read_recommendation(in);
    return true;
  }
  if (kind != 0) {
    const std::string readable = from_file ? "model files of transformers only"
                                           : "transformers and recommendation models only";
    in.problem("kind",
               "this version reads " + readable + ", got \"" + std::string(kinds[kind]) + "\"");
    return false;
  }
  sim::Transformer model;
  if (from_file) {
    read_model_file(in, directory, model);
  } else {
    read_model(in, model);
  }
  workload = model;
  return true;
}

void complete_heads(sim::Transformer& model, ObjectReader& in, const TransformerKeys& keys) {
  if (model.attention_heads % model.kv_heads != 0) {
    in.problem(keys.kv_heads,
               divisor_of(in, keys.attention_heads, model.attention_heads, model.kv_heads));
  }
  if (model.head_size != 0) {
    return;
  }
  if (model.hidden % model.attention_heads != 0) {
    in.problem(keys.attention_heads,
               divisor_of(in, keys.hidden, model.hidden, model.attention_heads) +
                   "; or give the size of a head");
  }
  model.head_size = model.hidden / model.attention_heads;
  if (model.head_size == 0) {
    model.head_size = 1;
  }
}

}  // namespace cubicbench::scenarios
