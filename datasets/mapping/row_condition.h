#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/tables/measurement.h"
#include "support/json/object_reader.h"

namespace cubicbench::datasets {

/// What a rule of a file of defaults asks of a row's column: of a text, or of a count or a truth.
struct RowCondition {
  std::string Measurement::*column = nullptr;
  std::optional<std::int64_t> Measurement::*count = nullptr;  ///< that is greater than `above`
  std::optional<bool> Measurement::*truth = nullptr;          ///< that is `is`
  std::int64_t above = 0;
  bool is = false;
  std::string contains;            ///< whatever its case; "": asks nothing
  std::vector<std::string> any;    ///< it contains one of these; none: asks nothing
  std::vector<std::string> words;  ///< one of these stands in it on its own; none: asks nothing
  std::string lacks;               ///< the cell, which may be empty, does not contain this
  std::string from;    ///< the cell is not before this, in byte order, as dates are; "": nothing
  std::string before;  ///< the cell is before this; "": asks nothing
};

/// An array of `{"column", "contains" | "any" | "words" | "lacks" | "from" | "before"}` of texts,
/// `{"column", "above"}` of counts and `{"column", "is"}` of yes or no, which must all hold.
std::vector<RowCondition> read_conditions(support::ObjectReader& in, std::string_view key);

/// Do all conditions hold for `row`? An empty cell meets none that asks
/// for something; it lacks everything.
bool holds(const std::vector<RowCondition>& conditions, const Measurement& row);

}  // namespace cubicbench::datasets
