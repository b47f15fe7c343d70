#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/learnt/ranking.h"
#include "search/searchers/knob_changes.h"
#include "search/searchers/mutation.h"
#include "search/searchers/random_stream.h"

namespace cubicbench::search {

/// Candidates beside the neighbours by one knob.
struct CandidateCounts {
  std::size_t mutations = 10;  ///< of each centre, in two knobs
  std::size_t random = 300;
};

/// Adds all that differ from `centre` in one knob.
template <typename Worth>
void rank_neighbours(const scenarios::SearchSpace& space, const scenarios::Configuration& centre,
                     Ranking<Worth>& ranking) {
  for (std::size_t knob = 0; knob < space.size(); ++knob) {
    for (const scenarios::Configuration& config : knob_changes(space, centre, knob, centre)) {
      ranking.add(config);
    }
  }
}

template <typename Worth>
void rank_mutations(const scenarios::SearchSpace& space, const scenarios::Configuration& centre,
                    std::size_t count, Ranking<Worth>& ranking, RandomStream& random) {
  for (std::size_t i = 0; i < count; ++i) {
    scenarios::Configuration config = centre;
    if (mutate(space, config, random) && mutate(space, config, random)) ranking.add(config);
  }
}

/// Candidates as SMAC has them [Hutter11]: neighbours and mutations of the best jobs,
/// random configurations, and from the best of these climbs to the best neighbour, as long as that
/// is worth more.
template <typename Worth>
void rank_candidates(const scenarios::SearchSpace& space,
                     const std::vector<scenarios::Configuration>& centres,
                     const CandidateCounts& counts, Ranking<Worth>& ranking, RandomStream& random) {
  for (const scenarios::Configuration& centre : centres) rank_neighbours(space, centre, ranking);
  for (const scenarios::Configuration& centre : centres) {
    rank_mutations(space, centre, counts.mutations, ranking, random);
  }
  scenarios::Configuration drawn(space.size());
  for (std::size_t i = 0; i < counts.random; ++i) {
    space.configuration_at(random.below(space.count()), drawn);
    ranking.add(drawn);
  }
  while (!ranking.empty()) {
    const scenarios::Configuration here = ranking.best();
    rank_neighbours(space, here, ranking);
    if (ranking.best() == here) return;
  }
}

}  // namespace cubicbench::search
