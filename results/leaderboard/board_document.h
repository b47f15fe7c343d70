#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "results/document/document.h"
#include "results/leaderboard/leaderboard.h"

namespace cubicbench::results {

/// Leaderboards of one suite on a page: of the first one the table, which of its searchers differ,
/// and scores while the budget is spent; of the others, which have another start, the table; and
/// how to send an entry. Requires a leaderboard.
Document board_document(const std::vector<Leaderboard>& boards);

/// The same as `--json` prints it: `{"suite", "problems": [..], "leaderboards": [{"start",
/// "searchers": [..], "friedman": {..}}]}`.
nlohmann::ordered_json board_json(const std::vector<Leaderboard>& boards);

}  // namespace cubicbench::results
