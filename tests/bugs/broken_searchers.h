#pragma once

#include <functional>
#include <memory>
#include <string>

#include "search/searchers/registry.h"

namespace cubicbench::search {

using MakeSearcher = std::function<std::unique_ptr<Searcher>(const SearchContext&)>;

/// One that ships, by its text.
MakeSearcher shipped(const std::string& text);

// The same searchers put together anew from their parts, so that a fault can be put into one; what
// has none proposes what the shipped one does.

enum class EvolutionFault {
  none,
  no_mutation,       ///< a child is its parent
  poisoned_visited,  ///< what was visited is known by the first half of its knobs, so that much
                     ///< that was never launched counts as visited
  ties_by_order,     ///< of configurations that nothing is known of, the first of the list
  other_end,         ///< no fault: a sample is read from its other end
};
MakeSearcher evolution_with(EvolutionFault fault);

enum class GeneticFault {
  none,
  skips_first,  ///< parents are counted from 1
};
MakeSearcher genetic_with(GeneticFault fault);

// Between a study and a searcher that ships.

MakeSearcher with_reward_sign(const std::string& text);   ///< scores are told with the other sign
MakeSearcher with_short_quota(const std::string& text);   ///< ends after three quarters
MakeSearcher with_stale_labels(const std::string& text);  ///< told the outcome of the trial before
MakeSearcher with_last_as_best(const std::string& text);  ///< each success is told as a new best
MakeSearcher with_failures_as_zero(const std::string& text);  ///< a failure is a success of 0
MakeSearcher with_seed_twice(const std::string& text);        ///< two workers draw from one seed
MakeSearcher with_logarithms(const std::string& text);  ///< no fault: scores are told as logarithms

}  // namespace cubicbench::search
