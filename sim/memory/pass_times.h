#pragma once

#include "sim/base/units.h"

namespace cubicbench::sim {

/// How fast the host of a rank launches what its device then runs; decides how far it runs ahead.
struct PassTimes {
  Seconds layer_host;      ///< launching a layer's forward pass; backward takes twice as long
  Seconds layer_forward;   ///< device
  Seconds layer_backward;  ///< device, with what is recomputed in parts; whole layers run their
                           ///< forward pass
  Seconds head;            ///< device, forward and backward
  BytesPerSecond device_memory;  ///< rate of streaming
  bool exchanges_wait = false;   ///< the host waits for the device at every exchange of stages

  bool operator==(const PassTimes&) const = default;
};

}  // namespace cubicbench::sim
