#include <array>

#include "search/searchers/registry.h"

namespace cubicbench::search {

// A searcher is a source that defines its entry, and its name in both lists here. Sorted by name.
// The page has a list of its own (web/engine/searchers.cc).
SearcherEntry annealing_searcher();
SearcherEntry banana_searcher();
SearcherEntry best_known_searcher();
SearcherEntry cma_es_searcher();
SearcherEntry constant_searcher();
SearcherEntry constrained_gp_searcher();
SearcherEntry coordinate_searcher();
SearcherEntry corner_searcher();
SearcherEntry cubicml_searcher();
SearcherEntry differential_evolution_searcher();
SearcherEntry evolution_searcher();
SearcherEntry first_value_searcher();
SearcherEntry forest_searcher();
SearcherEntry genetic_searcher();
SearcherEntry gp_searcher();
SearcherEntry hyperband_searcher();
SearcherEntry local_search_searcher();
SearcherEntry portfolio_searcher();
SearcherEntry random_searcher();
SearcherEntry reinforce_searcher();
SearcherEntry sobol_searcher();
SearcherEntry tpe_searcher();
SearcherEntry tpe_multivariate_searcher();

std::span<const SearcherEntry> searchers() {
  static const std::array entries{
      annealing_searcher(),
      banana_searcher(),
      best_known_searcher(),
      cma_es_searcher(),
      constant_searcher(),
      constrained_gp_searcher(),
      coordinate_searcher(),
      corner_searcher(),
      cubicml_searcher(),
      differential_evolution_searcher(),
      evolution_searcher(),
      first_value_searcher(),
      forest_searcher(),
      genetic_searcher(),
      gp_searcher(),
      hyperband_searcher(),
      local_search_searcher(),
      portfolio_searcher(),
      random_searcher(),
      reinforce_searcher(),
      sobol_searcher(),
      tpe_searcher(),
      tpe_multivariate_searcher(),
  };
  return entries;
}

}  // namespace cubicbench::search
