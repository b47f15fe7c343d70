#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/mapping/row_condition.h"
#include "datasets/tables/measurement.h"
#include "sim/workload/transformer.h"

namespace cubicbench::datasets {

/// Layers that a published model lists one by one.
struct ModelLayers {
  std::vector<sim::LayerKind> pattern;
  std::optional<sim::LayerKind> prediction_kind;
  sim::StateSpace state_space;
};

/// What a published model has beyond a dense transformer; nothing of what it does not have.
struct ModelMixture {
  std::optional<ModelLayers> layers;
  std::optional<sim::Experts> experts;
  std::optional<sim::LatentAttention> latent;
  std::optional<sim::SlidingWindow> window;
  std::optional<std::int64_t> prediction_layers;
};

/// `mixture`, and where it says nothing `otherwise`.
ModelMixture with_rest_of(const ModelMixture& mixture, const ModelMixture& otherwise);

/// How wide a family's feed-forward part is.
enum class FfnRule {
  published,     ///< no rule: only sizes that are listed have one
  four_hidden,   ///< 4 h
  eight_thirds,  ///< 8/3 h, rounded up to a multiple of 256
  seven_halves,  ///< 3.5 h
};

/// A published shape; what is not listed follows from the family's rules.
struct ModelSize {
  std::string name;  ///< a word of the model's name, such as "7B"
  std::optional<std::int64_t> layers, hidden, heads, kv_heads, head_size, ffn, vocabulary;
  ModelMixture mixture;  ///< where it says nothing, the family's
};

/// The shape of models that are known by their parameter count alone.
struct ModelWidth {
  std::vector<RowCondition> when;
  std::int64_t hidden = 0;
  std::optional<std::int64_t> heads;  ///< also of runs that state a width which these divide
};

/// Models of one architecture: what is a property of the model, never of the stack.
struct ModelFamily {
  std::vector<std::string> names;  ///< words that one after the other stand in the model's name
  std::string needs;               ///< what the simulator lacks; "": it has all
  bool has_experts = false;        ///< said of families that the simulator cannot play
  bool gated_ffn = false;
  bool tied_embeddings = false;
  bool fused_activation = true;
  std::optional<std::int64_t> vocabulary;
  std::optional<std::int64_t> head_size;  ///< of all sizes that list none; nothing: hidden / heads
  FfnRule ffn = FfnRule::published;       ///< of layers without experts
  ModelMixture mixture;
  std::vector<ModelSize> sizes;
  std::vector<ModelWidth> widths;  ///< the first that holds counts
};

/// datasets/measured/models.json.
struct ModelCatalog {
  std::vector<ModelFamily> families;  ///< the first that a name matches counts
};

/// A model as words: lower case, separators to single spaces, letters apart from the digits
/// that follow them; a space before and after. "LLAMA3.1_405B" is " llama 3.1 405b ".
std::string model_words(std::string_view name);

/// Reads the JSON file, schema `cubicbench.models/1`. Every entry needs a reason. Throws InputError
/// with every problem.
ModelCatalog read_model_catalog(std::string_view text, const std::string& file);

/// That which ships, read once. Threads may call it at the same time.
const ModelCatalog& model_catalog();

/// Null for a model that the catalogue does not know.
const ModelFamily* find_family(const ModelCatalog& catalog, std::string_view model);

/// Null when the family lists no size that the model's name has.
const ModelSize* find_size(const ModelFamily& family, std::string_view model);

/// Nothing where the family has no rule.
std::optional<std::int64_t> ffn_width(FfnRule rule, std::int64_t hidden);

}  // namespace cubicbench::datasets
