#pragma once

#include "sim/base/units.h"
#include "sim/hardware/device.h"

namespace cubicbench::sim {

/// Time of kernels that only stream: traffic / (nominal bandwidth x streaming share).
/// Launches are not counted here; the host floor of a pass covers them [docs/models.md, Eq. K-5].
inline Seconds memory_bound_time(const Device& device, Bytes traffic) {
  return traffic / (device.memory_bandwidth * device.memory_efficiency);
}

}  // namespace cubicbench::sim
