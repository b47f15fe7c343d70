#include "search/tpe/cut_normal.h"

#include "sim/base/check.h"
#include "support/statistics/normal.h"

namespace cubicbench::search {
namespace {

/// Beyond so many widths nothing is left that a double could hold.
constexpr double far = 38.0;

}  // namespace

CutNormal::CutNormal(double width, std::size_t levels)
    : ends_(2 * static_cast<std::ptrdiff_t>(levels) - 1), tails_(2 * levels) {
  SIM_ASSERT(width > 0.0 && levels > 0, width, levels);
  for (std::size_t i = 0; i < tails_.size(); ++i) {
    const double distance = 0.5 * static_cast<double>(i) / width;
    tails_[i] = distance > far ? 0.0 : support::normal_tail(distance);
  }
}

}  // namespace cubicbench::search
