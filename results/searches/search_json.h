#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/searches/search_judgement.h"
#include "search/folder/campaign.h"

namespace cubicbench::results {

/// What `search --json` prints [contracts.md, section 6]: `studies`, in the order of the plan.
/// Behind the keys of the contract stand those of study_end_json() of the studies that `judgement`
/// knows.
nlohmann::ordered_json search_json(const search::SearchResult& result,
                                   const SearchJudgement& judgement = {});

}  // namespace cubicbench::results
