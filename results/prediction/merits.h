#pragma once

#include <optional>
#include <span>

#include "predictor/judging/protocol.h"
#include "results/document/table.h"

namespace cubicbench::results {

/// A figure of merit of a predictor over the test part, in every form that it takes.
struct Merit {
  enum class InJson { no, mean, mean_and_sd };

  Column column;
  InJson in_json = InJson::mean;
  /// Nothing where it does not apply: the error of a predictor of order alone, feasibility where
  /// no job ran out of memory.
  std::optional<predictor::MeanAndSd> (*of)(const predictor::Judgement&) = nullptr;

  Cell cell(const predictor::Judgement& judgement, double predictor::MeanAndSd::*figure) const;
};

/// All of them, in the order of JSON and CSV.
std::span<const Merit> merits();

}  // namespace cubicbench::results
