#pragma once

#include <cstdint>
#include <string>

#include "results/comparison/paired_scores.h"
#include "tests/bugs/broken_searchers.h"

namespace cubicbench::results {

/// The studies of a searcher with the seeds 0, 1 ... as `search --suite standard` plays them and
/// `compare` reads them: journals in a folder. They are called as the one that ships, `searcher`.
ComparedSide played_side(const std::string& searcher, const search::MakeSearcher& make,
                         std::int64_t seeds);

}  // namespace cubicbench::results
