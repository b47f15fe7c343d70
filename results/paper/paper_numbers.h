#pragma once

#include <cstdint>
#include <span>

#include "datasets/jobs/dataset.h"
#include "predictor/judging/protocol.h"
#include "results/document/document.h"
#include "results/regret/searched_problem.h"

namespace cubicbench::results {

/// A judgement on jobs split at random, to be compared with the paper's. Null pointers: none was
/// made.
struct RandomSplit {
  const datasets::Dataset* data = nullptr;
  const predictor::JudgedDataset* judged = nullptr;
};

/// What our numbers are taken from.
struct OurResults {
  std::span<const SearchedProblem> searches;
  RandomSplit simulated;        ///< one size of the training part or several
  RandomSplit simulated_sizes;  ///< several sizes, for how many are enough
  RandomSplit real;
  RandomSplit real_sizes;
};

/// The size of the training part on which we compare our numbers with the paper's, which says that
/// about as many are enough.
inline constexpr std::int64_t paper_train = 150;

/// The paper's published numbers beside ours: a table, the source of each number, and why the two
/// differ, which is true whatever our numbers are.
void add_paper_numbers(const OurResults& ours, Document& document);

}  // namespace cubicbench::results
