#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/workload/layer_kind.h"

namespace cubicbench::scenarios {

/// What a pattern of layers says; no kinds where it says nothing.
struct LayerPattern {
  std::vector<sim::LayerKind> kinds;
  std::string expected;  ///< what a wrong one should have been; "": nothing is wrong
};

/// Reads layers letter by letter, as hybrid models are written: M a scan, * attention, - an FFN,
/// E experts, each a layer of its own; (M-) a layer of both. Attention is plain.
LayerPattern read_layer_pattern(std::string_view text);

/// The text that is read as `kinds`; attention of any sort is *.
std::string layer_pattern_text(const std::vector<sim::LayerKind>& kinds);

}  // namespace cubicbench::scenarios
