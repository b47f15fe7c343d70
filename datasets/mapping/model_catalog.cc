#include "datasets/mapping/model_catalog.h"

#include <algorithm>
#include <array>

#include "datasets/mapping/measured_json.h"
#include "datasets/mapping/text_match.h"
#include "scenarios/readers/layer_pattern.h"

namespace cubicbench::datasets {
namespace {

using support::is_digit;
using support::is_letter;
using support::lowered;
using support::ObjectReader;
using support::ValueReader;

constexpr std::array<std::string_view, 4> ffn_rules{"published", "4 h", "8/3 h", "3.5 h"};
constexpr std::int64_t model_size_max = 1'000'000'000;

sim::Experts read_experts(ObjectReader in) {
  const sim::Experts experts{
      .count = in.integer("count", 1, model_size_max),
      .per_token = in.integer("per_token", 1, model_size_max),
      .ffn_hidden = in.integer("ffn", 1, model_size_max),
      .shared_ffn_hidden = in.integer("shared_ffn", 0, model_size_max, 0),
      .latent_size = in.integer("latent", 0, model_size_max, 0),
      .first_dense_layers = in.integer("first_dense_layers", 0, model_size_max, 0),
      .period = in.integer("period", 1, model_size_max, 1),
      .nodes_per_token = in.integer("nodes_per_token", 0, model_size_max, 0),
  };
  in.finish();
  return experts;
}

sim::LatentAttention read_latent(ObjectReader in) {
  const sim::LatentAttention latent{
      .query_rank = in.integer("query_rank", 0, model_size_max, 0),
      .key_rank = in.integer("key_rank", 1, model_size_max),
      .rope_size = in.integer("rope_size", 1, model_size_max),
      .value_size = in.integer("value_size", 1, model_size_max),
  };
  in.finish();
  return latent;
}

sim::SlidingWindow read_window(ObjectReader in) {
  const sim::SlidingWindow window{.tokens = in.integer("tokens", 1, model_size_max),
                                  .full_period = in.integer("full_period", 0, model_size_max, 0)};
  in.finish();
  return window;
}

sim::StateSpace read_state_space(ObjectReader in) {
  const sim::StateSpace space{
      .heads = in.integer("heads", 1, model_size_max),
      .head_size = in.integer("head_size", 1, model_size_max),
      .state_size = in.integer("state_size", 1, model_size_max),
      .groups = in.integer("groups", 1, model_size_max),
      .convolution = in.integer("convolution", 1, model_size_max, 4),
      .chunk = in.integer("chunk", 1, model_size_max),
  };
  in.finish();
  return space;
}

std::vector<sim::LayerKind> read_layers(ObjectReader& in, std::string_view key) {
  const scenarios::LayerPattern pattern = scenarios::read_layer_pattern(in.string(key));
  if (!pattern.expected.empty()) in.problem(key, pattern.expected);
  return pattern.kinds;
}

/// The keys `layer_pattern`, `prediction_pattern` and `state_space`.
std::optional<ModelLayers> read_model_layers(ObjectReader& in) {
  in.allow("layer_pattern");
  if (!in.has("layer_pattern")) return std::nullopt;
  ModelLayers layers{.pattern = read_layers(in, "layer_pattern"),
                     .prediction_kind = std::nullopt,
                     .state_space = {}};
  if (auto space = in.optional_object("state_space")) layers.state_space = read_state_space(*space);
  if (in.has("prediction_pattern")) {
    const std::vector<sim::LayerKind> kinds = read_layers(in, "prediction_pattern");
    if (!kinds.empty()) layers.prediction_kind = kinds.front();
  }
  return layers;
}

/// A point between digits belongs to a number.
bool is_point(std::string_view text, std::size_t at) {
  return text[at] == '.' && at > 0 && at + 1 < text.size() && is_digit(text[at - 1]) &&
         is_digit(text[at + 1]);
}

std::optional<std::int64_t> optional_count(ObjectReader& in, std::string_view key,
                                           std::int64_t min = 1) {
  if (in.raw(key) == nullptr) return std::nullopt;
  return in.integer(key, min, model_size_max);
}

/// The keys `experts`, `latent_attention`, `sliding_window`, `prediction_layers` and those of
/// layers that are listed, of a family or of a size.
ModelMixture read_mixture(ObjectReader& in) {
  ModelMixture mixture;
  mixture.layers = read_model_layers(in);
  if (auto experts = in.optional_object("experts")) mixture.experts = read_experts(*experts);
  if (auto latent = in.optional_object("latent_attention")) mixture.latent = read_latent(*latent);
  if (auto window = in.optional_object("sliding_window")) mixture.window = read_window(*window);
  mixture.prediction_layers = optional_count(in, "prediction_layers", 0);
  return mixture;
}

ModelSize read_size(ObjectReader& in) {
  return {.name = model_words(non_empty(in, "name")),
          .layers = optional_count(in, "layers"),
          .hidden = optional_count(in, "hidden"),
          .heads = optional_count(in, "heads"),
          .kv_heads = optional_count(in, "kv_heads"),
          .head_size = optional_count(in, "head_size"),
          .ffn = optional_count(in, "ffn"),
          .vocabulary = optional_count(in, "vocabulary"),
          .mixture = read_mixture(in)};
}

ModelWidth read_width(ObjectReader& in) {
  return {.when = read_conditions(in, "when"),
          .hidden = in.integer("hidden", 1, model_size_max),
          .heads = optional_count(in, "heads")};
}

std::vector<std::string> read_names(ObjectReader& in) {
  std::vector<std::string> names;
  for (const ValueReader& name : in.array("names")) {
    const std::string words = model_words(name.string());
    if (words.size() < 3) name.problem("expected a text with letters or digits");
    names.push_back(words);
  }
  return names;
}

ModelFamily read_models(ObjectReader& in) {
  ModelFamily family;
  family.names = read_names(in);
  family.needs = in.string("needs", "");
  const bool is_modelled = family.needs.empty();
  if (!is_modelled) family.has_experts = in.boolean("has_experts", false);
  if (is_modelled) {
    family.gated_ffn = in.boolean("gated_ffn");
    family.tied_embeddings = in.boolean("tied_embeddings");
    family.fused_activation = in.boolean("fused_activation", true);
    family.vocabulary = optional_count(in, "vocabulary");
    family.head_size = optional_count(in, "head_size");
    family.ffn = static_cast<FfnRule>(in.one_of("ffn", ffn_rules));
    family.mixture = read_mixture(in);
    family.sizes = read_rules(in.optional_array("sizes"), read_size);
    family.widths = read_rules(in.optional_array("widths"), read_width);
  }
  return family;
}

}  // namespace

ModelMixture with_rest_of(const ModelMixture& mixture, const ModelMixture& otherwise) {
  ModelMixture whole = mixture;
  if (!whole.layers) whole.layers = otherwise.layers;
  if (!whole.experts) whole.experts = otherwise.experts;
  if (!whole.latent) whole.latent = otherwise.latent;
  if (!whole.window) whole.window = otherwise.window;
  if (!whole.prediction_layers) whole.prediction_layers = otherwise.prediction_layers;
  return whole;
}

std::string model_words(std::string_view name) {
  std::string words = " ";
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char letter = lowered(name[i]);
    if (is_letter(letter) || is_digit(letter) || is_point(name, i)) {
      if (is_digit(letter) && is_letter(words.back())) words += ' ';
      words += letter;
    } else if (words.back() != ' ') {
      words += ' ';
    }
  }
  if (words.back() != ' ') words += ' ';
  return words;
}

ModelCatalog read_model_catalog(std::string_view text, const std::string& file) {
  return read_measured_json(text, file, "cubicbench.models/1", [](ObjectReader& in) {
    return ModelCatalog{.families = read_rules(in.array("families"), read_models)};
  });
}

const ModelCatalog& model_catalog() { return shipped<read_model_catalog>("models.json"); }

const ModelFamily* find_family(const ModelCatalog& catalog, std::string_view model) {
  const std::string words = model_words(model);
  const auto has = [&](const std::string& name) { return words.find(name) != std::string::npos; };
  return first_of(catalog.families, [&](const ModelFamily& family) {
    return std::ranges::any_of(family.names, has);
  });
}

const ModelSize* find_size(const ModelFamily& family, std::string_view model) {
  const std::string words = model_words(model);
  return first_of(family.sizes, [&](const ModelSize& size) {
    return words.find(size.name) != std::string::npos;
  });
}

std::optional<std::int64_t> ffn_width(FfnRule rule, std::int64_t hidden) {
  if (rule == FfnRule::four_hidden) return 4 * hidden;
  if (rule == FfnRule::eight_thirds) return ((8 * hidden + 2) / 3 + 255) / 256 * 256;
  if (rule == FfnRule::seven_halves) return 7 * hidden / 2;
  return std::nullopt;
}

}  // namespace cubicbench::datasets
