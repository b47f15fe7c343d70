#pragma once

namespace cubicbench::predictor {

/// Tells Eigen one size of caches for all machines: it cuts products by them, and with the cut the
/// last bit of a sum changes. To be called before a product; any thread may, any number of times.
void fix_eigen_blocking();

}  // namespace cubicbench::predictor
