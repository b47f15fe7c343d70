#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/comparison/paired_scores.h"
#include "results/regret/known_spaces.h"

namespace cubicbench::results {

/// Which studies of a folder are compared, and how they are read.
struct SideRequest {
  std::filesystem::path folder;           ///< of a search, or of folders of searches of other seeds
  std::optional<std::string> searcher{};  ///< needed where there are several
  int threads = 0;                        ///< 0: all cores
};

/// The searchers of a folder that read_side() reads, in the order of the search. Throws InputError
/// where there is no search.
std::vector<std::string> searchers_in(const std::filesystem::path& folder);

/// Reads the studies of one searcher, one at a time, so that folders of any size fit in memory.
/// Throws InputError where there is no search, the searcher is not one of it or one of several, a
/// study is not finished, was played on real machines, or the optimum of a problem is not known.
ComparedSide read_side(const SideRequest& request, const GivenSpaces& given);

}  // namespace cubicbench::results
