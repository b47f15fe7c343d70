#pragma once

#include <string>

#include "search/campaign.h"

namespace cubicbench::results {

/// What a finished search came to, for a terminal: for each scenario a table with a line a
/// searcher, which has the number of studies, their launches, the share that failed, the median and
/// the best of the studies' best values, and the GPU-hours.
std::string search_table(const search::SearchPlan& plan, const search::SearchResult& result);

/// The table, then where the journals are and what to run next. `out` is their folder as the user
/// named it.
std::string search_text(const search::SearchPlan& plan, const search::SearchResult& result,
                        const std::string& out);

}  // namespace cubicbench::results
