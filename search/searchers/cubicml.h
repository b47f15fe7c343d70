#pragma once

#include "search/searchers/registry.h"

namespace cubicbench::search {

/// Rounds of jobs, the first of them random, the others proposed by a policy that REINFORCE trains
/// against a learnt predictor [CubicML].
SearcherEntry cubicml_searcher();

}  // namespace cubicbench::search
