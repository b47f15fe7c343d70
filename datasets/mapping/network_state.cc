#include "datasets/mapping/network_state.h"

namespace cubicbench::datasets {
namespace {

constexpr double giga = 1e9;
constexpr double free_gb_s = 260.0;   // all-gather of many GPUs that do not wait for each other
constexpr double waits_from = 1e-4;   // s/GB a GPU: others have 3.3e-5
constexpr double slow_wait = 2.5e-4;  // s/GB a GPU, typical
constexpr double felt = 0.5;          // of that wait by gradient traffic, which is in buckets
constexpr double passes = 3.0;        // one forward, two backward
constexpr sim::Seconds layer_wait = {2.3e-3};

}  // namespace

sim::NetworkState slow_network() {
  return {.launch_wait = (1.0 / passes) * layer_wait, .byte_wait_s = felt * slow_wait / giga};
}

sim::NetworkState measured_state(const MeasuredFabric& fabric, int gpus) {
  if (!fabric.all_gather) return {};
  const double wait = (1.0 / *fabric.all_gather - 1.0 / free_gb_s) / gpus;
  sim::NetworkState state;
  if (wait > waits_from) state.launch_wait = slow_network().launch_wait;
  if (wait > 0.0) state.byte_wait_s = felt * wait / giga;
  return state;
}

}  // namespace cubicbench::datasets
