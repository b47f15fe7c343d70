#include "predictor/eigen_blocking.h"

#include <Eigen/Core>

namespace cubicbench::predictor {

void fix_eigen_blocking() {
  static const bool done = [] {
    Eigen::setCpuCacheSizes(32 * 1024, 256 * 1024, 2 * 1024 * 1024);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace cubicbench::predictor
