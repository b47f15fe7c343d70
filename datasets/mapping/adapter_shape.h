#pragma once

#include <string>

#include "datasets/mapping/assumed_names.h"
#include "datasets/mapping/stack_defaults.h"
#include "sim/workload/transformer.h"

namespace cubicbench::datasets {

/// Adds low-rank adapters to the model of a run, as its trainer sets them by default. Tables have
/// no columns for their rank and products, so both are assumed. Returns the reason if the model
/// cannot have them, else "".
std::string fill_adapters(const ChosenStack& stack, AssumedNames& assumed, sim::Transformer& model);

}  // namespace cubicbench::datasets
