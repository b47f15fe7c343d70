#pragma once

#include "datasets/measurement.h"
#include "sim/hardware/cluster.h"

namespace cubicbench::datasets {

/// A network whose ranks keep each other waiting, as some jobs of one cluster find it and others do
/// not. Read off the runs of huggingface.co/spaces/nanotron/ultrascale-playbook in such a state:
/// what a layer takes at least, forward and backward, grows by 2.3 ms a rank of its
/// tensor-parallel group, whatever the micro-batch; what all-gathers of n GPUs take longer than
/// their bandwidth, by 2.2e-4 to 2.9e-4 s/GB a GPU, of which gradient traffic feels half.
sim::NetworkState slow_network();

/// The state in which a job on more than one node of `cluster` found its network: by the all-gather
/// bandwidth that it measured before training [docs/models.md, Eq. N-1]. In order where it measured
/// none.
sim::NetworkState measured_state(const MeasuredFabric& fabric, const sim::Cluster& cluster);

}  // namespace cubicbench::datasets
