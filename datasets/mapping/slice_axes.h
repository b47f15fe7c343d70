#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/hardware/network.h"

namespace cubicbench::datasets {

/// Chips along the axes of a slice as texts have it: {2, 2, 1} of "TPU v7x slice 2x2x1", {16, 16}
/// of "ICI 16x16 torus". The first such text counts; nothing where there is none.
std::optional<std::array<int, sim::torus_axes_max>> slice_axes(std::string_view text);

/// `network`, that of a pod, with its torus cut to a slice of these axes. Where pods have three
/// axes a slice's ends are joined if every axis of more than one chip has a multiple of four: the
/// cubes that optical switches join. Where they have two, if every axis is as long as the pod's.
void cut_to_slice(const std::array<int, sim::torus_axes_max>& axes, sim::Network& network);

/// The slice of so many chips that is nearest to a cube, or to a square where pods have two axes.
std::array<int, sim::torus_axes_max> usual_slice(std::int64_t chips,
                                                 const std::array<int, sim::torus_axes_max>& pod);

/// Chips of a slice; axes of 0 do not count.
std::int64_t product_of(const std::array<int, sim::torus_axes_max>& axes);

}  // namespace cubicbench::datasets
