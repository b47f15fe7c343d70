#include "datasets/mapping/slice_axes.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <vector>

#include "support/characters.h"

namespace cubicbench::datasets {
namespace {

constexpr int axis_max = 65'536;

/// Takes a number of chips from the front of `text`; 0 where there is none.
int take_axis(std::string_view& text) {
  int axis = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), axis);
  if (error != std::errc{} || axis < 1 || axis > axis_max) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return axis;
}

}  // namespace

std::optional<std::array<int, sim::torus_axes_max>> slice_axes(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!support::is_digit(text[at]) || (at > 0 && support::is_digit(text[at - 1]))) continue;
    std::string_view rest = text.substr(at);
    std::array<int, sim::torus_axes_max> axes{};
    std::size_t count = 0;
    while (count < axes.size()) {
      axes[count] = take_axis(rest);
      if (axes[count] == 0) break;
      ++count;
      if (!rest.starts_with('x')) break;
      rest.remove_prefix(1);
    }
    if (count >= 2) return axes;
  }
  return std::nullopt;
}

std::int64_t product_of(const std::array<int, sim::torus_axes_max>& axes) {
  std::int64_t chips = 1;
  for (const int axis : axes) chips *= std::max(axis, 1);
  return chips;
}

std::array<int, sim::torus_axes_max> usual_slice(std::int64_t chips,
                                                 const std::array<int, sim::torus_axes_max>& pod) {
  if (chips == product_of(pod)) return pod;
  const auto used = std::ranges::count_if(pod, [](int axis) { return axis > 1; });
  std::array<int, sim::torus_axes_max> axes = pod;
  std::ranges::transform(axes, axes.begin(), [](int axis) { return std::min(axis, 1); });
  const auto end = axes.begin() + std::max<std::ptrdiff_t>(used, 1);
  // The largest factors first, each along the axis that is shortest so far.
  std::vector<int> factors;
  for (int factor = 2; chips > 1; ++factor) {
    for (; chips % factor == 0; chips /= factor) factors.push_back(factor);
  }
  for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor) {
    *std::min_element(axes.begin(), end) *= *factor;
  }
  std::ranges::sort(axes.begin(), end);
  return axes;
}

void cut_to_slice(const std::array<int, sim::torus_axes_max>& axes, sim::Network& network) {
  constexpr int cube = 4;
  const auto pod = network.torus;
  const bool cubes = pod.back() > 1;
  network.torus_wraps = std::ranges::all_of(axes, [&](int axis) {
    if (axis <= 1) return true;
    return cubes ? axis % cube == 0 : std::ranges::find(pod, axis) != pod.end();
  });
  network.torus = axes;
}

}  // namespace cubicbench::datasets
