#pragma once

#include "search/searchers/registry.h"

namespace cubicbench::search {

/// Does a searcher of the registry state what it recommends? Those that can have an option
/// `recommend`, 0 or 1.
bool states_recommendation(const SearcherSpec& searcher);

}  // namespace cubicbench::search
