#include <array>

#include "search/searchers/registry.h"

namespace cubicbench::search {

SearcherEntry constrained_gp_searcher();
SearcherEntry coordinate_searcher();
SearcherEntry cubicml_searcher();
SearcherEntry evolution_searcher();
SearcherEntry local_search_searcher();
SearcherEntry random_searcher();

// In the place of search/searchers/all_searchers.cc: those that a race offers. Sorted by name.
std::span<const SearcherEntry> searchers() {
  static const std::array entries{constrained_gp_searcher(), coordinate_searcher(),
                                  cubicml_searcher(),        evolution_searcher(),
                                  local_search_searcher(),   random_searcher()};
  return entries;
}

}  // namespace cubicbench::search
