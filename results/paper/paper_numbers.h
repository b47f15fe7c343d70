#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "predictor/judging/protocol.h"
#include "results/studies/study_parts.h"

namespace cubicbench::results {

/// A judgement on jobs split at random, to be held against the paper's. Null pointers: none was
/// made.
struct RandomSplit {
  const datasets::Dataset* data = nullptr;
  const predictor::JudgedDataset* judged = nullptr;
};

/// What our numbers are taken from.
struct OurResults {
  std::vector<Studies> searches;  ///< by scenario and instance
  RandomSplit simulated;          ///< one size of the training part or several
  RandomSplit simulated_sizes;    ///< several sizes, for how many are enough
  RandomSplit real;
  RandomSplit real_sizes;
};

/// The size of the training part on which we hold our numbers against the paper's, which says that
/// about as many are enough.
inline constexpr std::int64_t paper_train = 150;

/// The smallest size of the training part on which the best predictor's mean tau comes within 0.02
/// of the best on the largest; 0 when fewer than two sizes were judged.
std::int64_t enough_jobs(const predictor::JudgedDataset& judged);

/// The paper's published numbers beside ours, as an HTML section: a table, where each number of the
/// paper's was said, and a sentence a number on what makes the two differ. What it says of the
/// reasons is true whatever our numbers are.
std::string paper_numbers_section(const OurResults& ours);

}  // namespace cubicbench::results
