#pragma once

#include <string>

#include "datasets/mapping/assumed_names.h"
#include "datasets/mapping/stack_defaults.h"
#include "sim/workload/transformer.h"

namespace cubicbench::datasets {

/// Gives the model of a run that trains low-rank adapters those that its trainer sets where nobody
/// says otherwise: rank and products have no columns, so that both are assumed. Returns why it
/// cannot, "" where it can.
std::string fill_adapters(const ChosenStack& stack, AssumedNames& assumed, sim::Transformer& model);

}  // namespace cubicbench::datasets
