#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "scenarios/space/search_space.h"
#include "search/constrained_gp/acquisition.h"
#include "search/constrained_gp/space_axes.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {

/// What may be launched next, with what it is worth at most, each configuration once and none that
/// was proposed.
class CandidateList {
 public:
  CandidateList(const scenarios::SearchSpace& space, const SpaceAxes& axes,
                const Unproposed& unproposed, const Acquisition& acquisition)
      : space_(space), axes_(axes), unproposed_(unproposed), acquisition_(acquisition) {}

  void add(const scenarios::Configuration& config);

  /// All that differ from `centre` in one knob; with `pairs` up to that many that differ in two.
  void add_neighbours(const scenarios::Configuration& centre, std::size_t pairs,
                      RandomStream& random);

  /// The one that is worth most, of equals the first.
  std::optional<scenarios::Configuration> best();
  double best_worth() const { return best_worth_; }

  /// best(), and from there at most so many steps to the neighbour by one knob that is worth most.
  std::optional<scenarios::Configuration> climbed(std::int64_t steps, RandomStream& random);

  std::size_t size() const { return found_.size(); }

 private:
  /// Whose neighbours were added.
  struct Centre {
    predictor::Levels levels;
    Correlations at;
  };
  struct Found {
    scenarios::Configuration config;
    double bound = 0.0;
    std::optional<std::size_t> centre{};  ///< a few knobs away
  };

  double worth_of(const Found& found);

  bool is_new(const scenarios::Configuration& config);

  const scenarios::SearchSpace& space_;
  const SpaceAxes& axes_;
  const Unproposed& unproposed_;
  const Acquisition& acquisition_;
  std::unordered_set<std::uint64_t> numbers_;
  std::vector<Centre> centres_;
  std::vector<Found> found_;
  std::optional<std::size_t> best_;
  double best_worth_ = -1.0;
  std::size_t begun_ = 0;     ///< those before were judged or are below the best
  predictor::Levels levels_;  ///< of one candidate, as is what follows
  Correlations scratch_;
};

}  // namespace cubicbench::search
