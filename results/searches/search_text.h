#pragma once

#include <string>

#include "results/searches/search_judgement.h"
#include "search/folder/campaign.h"

namespace cubicbench::results {

/// What a finished search came to, for a terminal: for each scenario a table with a line a
/// searcher, which has the number of studies, their launches, the share that failed, the median and
/// the best of the studies' best values, and the GPU-hours. Where `judgement` knows the optimum
/// also the mean regret of the recommendations, and below the table how to read it; where it knows
/// of the scenario, but not its optimum, why.
std::string search_table(const search::SearchPlan& plan, const search::SearchResult& result,
                         const SearchJudgement& judgement = {});

/// The table, then where the journals are and what to run next. `out` is their folder as the user
/// named it.
std::string search_text(const search::SearchPlan& plan, const search::SearchResult& result,
                        const std::string& out, const SearchJudgement& judgement = {});

}  // namespace cubicbench::results
