#include "predictor/neural/eigen_blocking.h"

#include <Eigen/Core>
#include <cstddef>

namespace cubicbench::predictor {

void fix_eigen_blocking() {
  constexpr std::ptrdiff_t kib = 1024;
  static const bool done = [] {
    Eigen::setCpuCacheSizes(32 * kib, 256 * kib, 2048 * kib);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace cubicbench::predictor
