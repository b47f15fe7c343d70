#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cubicbench::sim {

/// What mixes the tokens of a layer.
enum class Mixer : std::uint8_t { attention, latent_attention };

/// What a layer does with each token.
enum class FeedForward : std::uint8_t { dense, experts };

/// All layers of one kind compute, keep and weigh the same.
struct LayerKind {
  Mixer mixer = Mixer::attention;
  FeedForward ffn = FeedForward::dense;

  bool operator==(const LayerKind&) const = default;
};

inline constexpr std::size_t layer_kinds_max = 4;

/// A value for each kind of a model's layers, in the order of its LayerKinds.
template <typename Value>
using PerKind = std::array<Value, layer_kinds_max>;

/// The kinds of a model's layers; a model has at least one.
struct LayerKinds {
  PerKind<LayerKind> list{};
  std::size_t count = 0;

  void add(LayerKind kind) { list[count++] = kind; }
  std::span<const LayerKind> all() const { return {list.data(), count}; }
};

/// The layers at which something repeats: the last of every `period` behind the first `first`.
struct Repetition {
  std::int64_t first = 0;
  std::int64_t period = 1;

  constexpr bool has(std::int64_t layer) const {
    return layer >= first && (layer - first + 1) % period == 0;
  }
  /// Of the first `layers` layers, how many.
  constexpr std::int64_t among(std::int64_t layers) const {
    return std::max<std::int64_t>(0, layers - first) / period;
  }
};

}  // namespace cubicbench::sim
