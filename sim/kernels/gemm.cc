#include "sim/kernels/gemm.h"

#include <cmath>

namespace cubicbench::sim {
namespace {

constexpr double tile = 128.0;

bool is_multiple(double value, double of) { return std::floor(value / of) * of == value; }

double quantised_share(const Device& device, Dtype dtype) {
  switch (dtype) {
    case Dtype::fp8:
      return device.gemm_share_fp8;
    case Dtype::mxfp8:
      return device.gemm_share_mxfp8;
    case Dtype::nvfp4:
      return device.gemm_share_nvfp4;
    default:
      return 1.0;
  }
}

double wave_quantisation(const Device& device, const GemmShape& shape) {
  const double tiles = shape.batch * std::ceil(shape.m / tile) * std::ceil(shape.n / tile);
  const double waves = tiles / device.sm_count;
  return std::ceil(waves) / waves;
}

}  // namespace

double misalignment(double n, double k) {
  return is_multiple(n, 8.0) && is_multiple(k, 8.0) ? 1.0 : 3.0;
}

Seconds gemm_time(const Device& device, Dtype dtype, const GemmShape& shape, double factor) {
  const FlopsPerSecond rate = device.matmul_peak[static_cast<std::size_t>(dtype)] *
                              (device.gemm_efficiency * quantised_share(device, dtype) * factor);
  const Flops work{2.0 * shape.m * shape.n * shape.k * shape.batch};
  const double waste = (1.0 + device.gemm_wave_weight * (wave_quantisation(device, shape) - 1.0)) *
                       (1.0 + device.gemm_k_half / shape.k) * misalignment(shape.n, shape.k);
  const double c = (work / rate).value * waste;
  const Bytes traffic{shape.batch * (wire_bytes(dtype) * (shape.m * shape.k + shape.n * shape.k) +
                                     storage_bytes(dtype) * shape.m * shape.n)};
  const double w = (traffic / (device.memory_bandwidth * device.memory_efficiency)).value;
  const double c2 = c * c;
  const double w2 = w * w;
  return device.kernel_overhead + Seconds{std::sqrt(std::sqrt(c2 * c2 + w2 * w2))};
}

}  // namespace cubicbench::sim
