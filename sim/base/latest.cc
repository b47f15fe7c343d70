#include "sim/base/latest.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::sim {
namespace {

// Of 1, 2, 4, ... 1,024 [docs/models.md, Eq. E-4].
constexpr std::array<double, 11> largest_of_normals{0.0,   0.564, 1.029, 1.424, 1.766, 2.070,
                                                    2.344, 2.595, 2.827, 3.044, 3.248};
constexpr std::size_t last = largest_of_normals.size() - 1;

}  // namespace

double latest_of(std::int64_t n) {
  SIM_ASSERT(n >= 1, n);
  const double doublings = log2(static_cast<double>(n));
  const std::size_t below = std::min(static_cast<std::size_t>(doublings), last - 1);
  const double step = largest_of_normals[below + 1] - largest_of_normals[below];
  return largest_of_normals[below] + (doublings - static_cast<double>(below)) * step;
}

}  // namespace cubicbench::sim
