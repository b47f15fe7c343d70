#include "scenarios/readers/layer_pattern.h"

#include <optional>

namespace cubicbench::scenarios {
namespace {

using sim::FeedForward;
using sim::LayerKind;
using sim::Mixer;

/// One letter as a layer.
std::optional<LayerKind> kind_of_letter(char letter) {
  switch (letter) {
    case 'M':
      return LayerKind{.mixer = Mixer::scan, .ffn = FeedForward::none};
    case '*':
      return LayerKind{.mixer = Mixer::attention, .ffn = FeedForward::none};
    case '-':
      return LayerKind{.mixer = Mixer::none, .ffn = FeedForward::dense};
    case 'E':
      return LayerKind{.mixer = Mixer::none, .ffn = FeedForward::experts};
    default:
      return std::nullopt;
  }
}

/// A mixer and the feed-forward network behind it.
std::optional<LayerKind> joined_layer(LayerKind first, LayerKind second) {
  if (first.ffn != FeedForward::none || second.mixer != Mixer::none) return std::nullopt;
  return LayerKind{.mixer = first.mixer, .ffn = second.ffn};
}

/// The layer at the front of `text`, which is taken off it.
std::optional<LayerKind> next_layer(std::string_view& text) {
  constexpr std::size_t pair = 4;
  if (text.front() != '(') {
    const std::optional<LayerKind> kind = kind_of_letter(text.front());
    text.remove_prefix(1);
    return kind;
  }
  if (text.size() < pair || text[pair - 1] != ')') return std::nullopt;
  const std::optional<LayerKind> first = kind_of_letter(text[1]);
  const std::optional<LayerKind> second = kind_of_letter(text[2]);
  text.remove_prefix(pair);
  return first && second ? joined_layer(*first, *second) : std::nullopt;
}

char mixer_letter(Mixer mixer) { return mixer == Mixer::scan ? 'M' : '*'; }

char ffn_letter(FeedForward ffn) { return ffn == FeedForward::experts ? 'E' : '-'; }

std::string text_of(LayerKind kind) {
  std::string text;
  if (kind.mixer != Mixer::none) text += mixer_letter(kind.mixer);
  if (kind.ffn != FeedForward::none) text += ffn_letter(kind.ffn);
  return text.size() > 1 ? "(" + text + ")" : text;
}

}  // namespace

LayerPattern read_layer_pattern(std::string_view text) {
  LayerPattern pattern;
  while (!text.empty()) {
    const std::optional<LayerKind> kind = next_layer(text);
    if (!kind) break;
    pattern.kinds.push_back(*kind);
    if (text.empty()) return pattern;
  }
  pattern.kinds.clear();
  pattern.expected =
      "expected a letter a layer, M (state space), * (attention), - (FFN) or E (experts), or (M-), "
      "(ME), (*-), (*E) for a layer of both";
  return pattern;
}

std::string layer_pattern_text(const std::vector<LayerKind>& kinds) {
  std::string text;
  for (const LayerKind kind : kinds) text += text_of(kind);
  return text;
}

}  // namespace cubicbench::scenarios
