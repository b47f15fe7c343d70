#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "scenarios/space/search_space.h"
#include "search/searchers/registry.h"
#include "search/searchers/searcher.h"
#include "search/study/study.h"

namespace cubicbench::search {

/// The permutation of a study: a pure function of the scenario and of the searcher's seed, so that
/// no two seeds see one order and a study that is repeated sees the same.
std::uint64_t permutation_key(std::string_view scenario_sha256, std::uint64_t seed);

/// Of which parameters the values are put into another order.
enum class Shuffled {
  categories,  ///< of categorical and boolean ones, as `--permute` has it
  everything,  ///< of ordinals and integers too: takes away what their order means. For controls
               ///< only
};

/// A space as a searcher sees it that is not to know in which order a scenario lists things: the
/// parameters in another order, and the values of categorical and boolean ones likewise. Ordinals
/// and integers keep theirs, which means something. Names stay what they are.
///
/// A parameter comes after those that its conditions name, any of such orders may be drawn. The
/// permuted space is a SearchSpace of its own, with the same configurations under other numbers.
///
/// Draws are keyed [search/searchers/random_stream.h]. A value; threads may share it.
class PermutedSpace {
 public:
  /// `space` may be gone afterwards. Throws InputError where the decision diagram of the permuted
  /// space would be too large, which the space's own may be close to.
  PermutedSpace(const scenarios::SearchSpace& space, std::uint64_t key,
                Shuffled shuffled = Shuffled::categories);

  const scenarios::SearchSpace& space() const { return space_; }

  /// A configuration of space() as one of the scenario's, and back. Indices that no parameter has
  /// stay as they are, so that what is invalid stays so. Both require size() entries.
  scenarios::Configuration original(const scenarios::Configuration& permuted) const;
  scenarios::Configuration permuted(const scenarios::Configuration& original) const;

 private:
  /// One parameter of the permuted space.
  struct Place {
    std::size_t original = 0;             ///< number of the parameter in the scenario
    std::vector<std::int64_t> values{};   ///< the scenario's index of each value
    std::vector<std::int64_t> inverse{};  ///< the permuted index of each of the scenario's
  };

  std::vector<Place> places_;
  scenarios::SearchSpace space_;
};

/// A searcher that sees the space permuted by `key` (PermutedSpace) and is asked
/// and told in the space as it is, so that studies, backends and journals need not know. What it is
/// told is the same but for the order of things. Throws InputError as PermutedSpace does.
std::unique_ptr<Searcher> make_permuted_searcher(const SearcherSpec& spec,
                                                 const SearchContext& context, std::uint64_t key,
                                                 Shuffled which = Shuffled::categories);

/// The searcher of a study, which sees the scenario's space as it is or permuted, as the study
/// says. `scenario` must outlive it.
std::unique_ptr<Searcher> searcher_of(const StudySpec& spec, const scenarios::Scenario& scenario);

}  // namespace cubicbench::search
