#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace cubicbench::sim {

/// What mixes the tokens of a layer.
enum class Mixer : std::uint8_t { attention, latent_attention, window, scan, none };

/// What tells mixers apart where no shape does.
struct MixerTraits {
  bool attends = true;   ///< has heads of attention; kernels between its products by the stack
  double kernels = 0.0;  ///< between its two products, where every stack has the same
};

constexpr MixerTraits traits(Mixer mixer) {
  switch (mixer) {
    case Mixer::attention:
    case Mixer::latent_attention:
    case Mixer::window:
      return {};
    case Mixer::scan:  // convolution, five of the scan, gated norm [docs/models.md, Eq. K-14]
      return {.attends = false, .kernels = 7.0};
    case Mixer::none:
      return {.attends = false};
  }
  return {};
}

/// What a layer does with each token.
enum class FeedForward : std::uint8_t { dense, experts, none };

/// All layers of one kind compute, keep and weigh the same.
struct LayerKind {
  Mixer mixer = Mixer::attention;
  FeedForward ffn = FeedForward::dense;

  bool operator==(const LayerKind&) const = default;
};

/// Mixer and feed-forward network of a layer: each has a norm before it and a sum behind it.
constexpr double parts(LayerKind kind) {
  return (kind.mixer == Mixer::none ? 0.0 : 1.0) + (kind.ffn == FeedForward::none ? 0.0 : 1.0);
}

inline constexpr std::size_t layer_kinds_max = 4;

/// A value for each kind of a model's layers, in the order of its LayerKinds.
template <typename Value>
using PerKind = std::array<Value, layer_kinds_max>;

/// The kinds of a model's layers; a model has at least one.
struct LayerKinds {
  PerKind<LayerKind> list{};
  std::size_t count = 0;
};

/// The last of every `period` layers behind the first `first`; none where `period` is 0.
struct Repetition {
  std::int64_t first = 0;
  std::int64_t period = 1;

  constexpr bool has(std::int64_t layer) const {
    return period > 0 && layer >= first && (layer - first + 1) % period == 0;
  }
  /// Of the first `layers` layers, how many.
  constexpr std::int64_t among(std::int64_t layers) const {
    return period > 0 ? std::max<std::int64_t>(0, layers - first) / period : 0;
  }
};

}  // namespace cubicbench::sim
