#pragma once

#include "datasets/tables/measurement.h"
#include "sim/hardware/cluster.h"

namespace cubicbench::datasets {

/// A network whose ranks keep each other waiting, as some jobs of one cluster find it and others do
/// not. Read off the runs of huggingface.co/spaces/nanotron/ultrascale-playbook in such a state:
/// what a layer takes at least, forward and backward, grows by 2.1 ms a rank of its
/// tensor-parallel group, whatever the micro-batch; of the tenth of it that is one scatter or
/// gather, those of weights feel half.
sim::NetworkState slow_network();

/// Gives `cluster`, of more than one node, the network that a job measured before training
/// [docs/models.md, Eq. N-1 and N-2]: its state, by the all-gather of all ranks, and what a node
/// sends, by their all-reduce. Unchanged where it measured none.
void apply_measured(const MeasuredFabric& fabric, sim::Cluster& cluster);

}  // namespace cubicbench::datasets
