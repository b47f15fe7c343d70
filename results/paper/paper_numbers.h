#pragma once

#include <cstdint>
#include <span>

#include "results/prediction/judgements.h"
#include "results/regret/searched_problem.h"

namespace cubicbench::results {

/// What our numbers are taken from: judgements on jobs split at random, null where none was made.
struct OurResults {
  std::span<const SearchedProblem> searches;
  const NamedJudgement* simulated = nullptr;        ///< one size of the training part or several
  const NamedJudgement* simulated_sizes = nullptr;  ///< several sizes, for how many are enough
  const NamedJudgement* real = nullptr;
  const NamedJudgement* real_sizes = nullptr;
};

/// The size of the training part on which we compare our numbers with the paper's, which says that
/// about as many are enough.
inline constexpr std::int64_t paper_train = 150;

/// The paper's published numbers beside ours: a table, the source of each number, and why the two
/// differ, which is true whatever our numbers are.
void add_paper_numbers(const OurResults& ours, Document& document);

}  // namespace cubicbench::results
