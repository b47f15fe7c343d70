#pragma once

#include "search/searchers/registry.h"

namespace cubicbench::search {

/// Scrambled Sobol points, a dimension a parameter, mapped to configurations by
/// SearchSpace::configuration_along, so that every point gives one. Parameters beyond the 64th get
/// uniform coordinates. A point whose configuration was proposed before is passed over; after 1,000
/// of those in a row the next of the random order is proposed instead. Ends when the space is
/// exhausted. Ignores what it is told.
SearcherEntry sobol_searcher();

}  // namespace cubicbench::search
