#include "scenarios/readers/hybrid_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/readers/layer_pattern.h"
#include "scenarios/readers/transformer_reader.h"

namespace cubicbench::scenarios {
namespace {

/// The layers at `key`, with the model's own attention.
std::vector<sim::LayerKind> layers_at(support::ObjectReader& in, std::string_view key,
                                      bool latent) {
  const std::size_t before = in.problems().size();
  const std::string text = in.string(key);
  if (in.problems().size() > before) return {};
  LayerPattern pattern = read_layer_pattern(text);
  if (!pattern.expected.empty()) {
    in.problem(key, pattern.expected + ", got " + support::shown(*in.raw(key)));
  }
  for (sim::LayerKind& kind : pattern.kinds) {
    if (latent && kind.mixer == sim::Mixer::attention) kind.mixer = sim::Mixer::latent_attention;
  }
  return pattern.kinds;
}

/// Keys that say the same in other words.
void refuse_periods(support::ObjectReader& in) {
  for (const char* const key : {"sliding_window", "first_dense_layers", "expert_period"}) {
    if (in.has(key)) in.problem(key, "expected no layer_pattern beside it");
  }
}

/// Kinds of layers that a model lists, each once.
std::vector<sim::LayerKind> kinds_listed(const sim::Transformer& model) {
  std::vector<sim::LayerKind> kinds;
  const auto add = [&](sim::LayerKind kind) {
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  };
  std::ranges::for_each(model.pattern, add);
  if (model.prediction_kind) add(*model.prediction_kind);
  return kinds;
}

void too_many_kinds(support::ObjectReader& in, std::string_view key, std::size_t kinds) {
  in.problem(key, "expected at most " + std::to_string(sim::layer_kinds_max) +
                      " kinds of layers, got " + std::to_string(kinds));
}

}  // namespace

void read_pattern(support::ObjectReader& in, sim::Transformer& model, bool latent) {
  const std::size_t before = in.problems().size();
  refuse_periods(in);
  model.pattern = layers_at(in, "layer_pattern", latent);
  const auto size = static_cast<std::int64_t>(model.pattern.size());
  if (in.problems().size() == before && model.layers % size != 0) {
    in.problem("layers", "expected a multiple of the layers in layer_pattern (" +
                             std::to_string(size) + "), got " + std::to_string(model.layers));
  }
  if (in.has("prediction_pattern")) {
    const std::vector<sim::LayerKind> kind = layers_at(in, "prediction_pattern", latent);
    if (kind.size() == 1) model.prediction_kind = kind.front();
    if (kind.size() > 1) {
      in.problem("prediction_pattern", "expected one layer, such as \"(*E)\", got " +
                                           support::shown(*in.raw("prediction_pattern")));
    }
  }
  if (kinds_listed(model).size() > sim::layer_kinds_max) {
    too_many_kinds(in, "layer_pattern", kinds_listed(model).size());
    model.pattern.clear();
    model.prediction_kind.reset();
  }
}

void read_state_space(support::ObjectReader& in, sim::Transformer& model) {
  support::ObjectReader space = in.object("state_space");
  const std::size_t before = in.problems().size();
  model.state_space = {.heads = space.integer("heads", 1, heads_max),
                       .head_size = space.integer("head_size", 1, width_max),
                       .state_size = space.integer("state_size", 1, width_max),
                       .groups = space.integer("groups", 1, heads_max, 1),
                       .convolution = space.integer("convolution", 1, width_max, 4),
                       .chunk = space.integer("chunk", 1, sequence_max, 256)};
  if (in.problems().size() == before) check_state_space(model, space, {"heads", "groups"});
  space.finish();
}

void check_state_space(const sim::Transformer& model, support::ObjectReader& in,
                       const StateSpaceKeys& keys) {
  const sim::StateSpace& space = model.state_space;
  if (space.heads % space.groups != 0) {
    in.problem(keys.groups, "expected a divisor of " + in.pointer() + "/" +
                                std::string(keys.heads) + " (" + std::to_string(space.heads) +
                                "), got " + std::to_string(space.groups));
  }
}

void check_pattern(const sim::Transformer& model, support::ObjectReader& in, bool with_experts,
                   std::string_view key) {
  const std::vector<sim::LayerKind> kinds = kinds_listed(model);
  const auto among = [&](auto has) { return std::ranges::any_of(kinds, has); };
  const bool scans = among([](sim::LayerKind k) { return k.mixer == sim::Mixer::scan; });
  const bool experts = among([](sim::LayerKind k) { return k.ffn == sim::FeedForward::experts; });
  if (scans && !sim::has_state_space(model)) {
    in.problem("state_space", "expected an object, as layers are M, got nothing");
  }
  if (!scans && sim::has_state_space(model)) {
    in.problem(key, "expected a layer M, as state_space describes it");
  }
  if (!kinds.empty() && experts != with_experts) {
    in.problem(key, experts ? "expected no layer E, as no experts are described"
                            : "expected a layer E, as experts are described");
  }
  if (kinds.size() > sim::layer_kinds_max) too_many_kinds(in, key, kinds.size());
}

}  // namespace cubicbench::scenarios
