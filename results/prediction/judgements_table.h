#pragma once

#include <span>
#include <string>

#include "predictor/judging/protocol.h"

namespace cubicbench::results {

/// A judgement and what it is called.
struct NamedJudgement {
  std::string name;
  const predictor::JudgedDataset* judged = nullptr;  ///< must outlive the call
};

/// Several judgements for a terminal: a line a predictor with its largest training part. Marked
/// with a star are predictors that ask the simulator which made the jobs. An empty line ends it; ""
/// of none.
std::string judgements_table(std::span<const NamedJudgement> named);

}  // namespace cubicbench::results
