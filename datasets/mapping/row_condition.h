#pragma once

#include <string>
#include <vector>

#include "datasets/tables/measurement.h"
#include "support/json/object_reader.h"

namespace cubicbench::datasets {

/// What a rule of a file of defaults asks of a row's text column.
struct RowCondition {
  std::string Measurement::*column = nullptr;
  std::string contains;            ///< whatever its case; "": asks nothing
  std::vector<std::string> any;    ///< it contains one of these; none: asks nothing
  std::vector<std::string> words;  ///< one of these stands in it on its own; none: asks nothing
  std::string lacks;               ///< the cell, which may be empty, does not contain this
  std::string from;    ///< the cell is not before this, in byte order, as dates are; "": nothing
  std::string before;  ///< the cell is before this; "": asks nothing
};

/// An array of `{"column", "contains" | "any" | "words" | "lacks" | "from" | "before"}`, which must
/// all hold.
std::vector<RowCondition> read_conditions(support::ObjectReader& in, std::string_view key);

/// Do all conditions hold for `row`? An empty cell meets none that asks
/// for something; it lacks everything.
bool holds(const std::vector<RowCondition>& conditions, const Measurement& row);

}  // namespace cubicbench::datasets
