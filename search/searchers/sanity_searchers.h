#pragma once

#include "search/searchers/registry.h"

namespace cubicbench::search {

// Searchers that learn nothing and believe something silly. Where one of them beats random search,
// the scenario gives away by the order in which it lists things what a search should find out, or
// the judgement rewards luck: they check the bench, not each other.

/// Proposes the space's first configuration, again and again. Good only where that is the best one,
/// or where another draw of the noise counts.
SearcherEntry constant_searcher();

/// Proposes corners of the space in a random order, none twice: each parameter has the first or the
/// last value that conditions, constraints and the values before it leave. Good where the best lies
/// at the bounds of ranges.
SearcherEntry corner_searcher();

/// Proposes configurations in the order of their numbers, from 0: those with the first values of
/// nearly all parameters. Good where the first values listed are the best.
SearcherEntry first_value_searcher();

}  // namespace cubicbench::search
