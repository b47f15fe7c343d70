#pragma once

#include "results/document/document.h"
#include "results/leaderboard/leaderboard.h"

namespace cubicbench::results {

/// The score after each twelfth of the budget, a line per searcher.
Drawing anytime_drawing(const Leaderboard& board);

/// Mean ranks with the critical difference [Demsar06]: a row per searcher, best at the top; two
/// whose bars do not overlap differ. Requires ranks.
Drawing rank_drawing(const Leaderboard& board);

}  // namespace cubicbench::results
