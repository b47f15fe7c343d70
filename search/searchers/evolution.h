#pragma once

#include "search/searchers/registry.h"

namespace cubicbench::search {

/// Regularised evolution [Real19]: the best of `sample` members drawn, with
/// replacement, from a population of the `population` trials told last has a child by one mutation;
/// who was told longest ago leaves, however good.
///
/// The first `population` proposals are those of `random` with the same seed. A failed trial enters
/// the population below every success, and among failures the one that missed the memory limit by
/// less is better where that is told. Departures from the paper: a child that was proposed before
/// is mutated again, since a repeat costs a launch, and one that constraints reject is redrawn;
/// after 100 mutations the next of the random order is proposed instead. Ends when the space is
/// exhausted. A proposal needs no outcome of the one before, so any number may be running.
///
/// Defaults: 50 and 10, those of the baseline of NAS-Bench-101, whose search is over a table as
/// ours is. The paper's own 100 and 25 would leave a budget of 150 trials 50 of evolution.
SearcherEntry evolution_searcher();

}  // namespace cubicbench::search
