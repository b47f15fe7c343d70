#pragma once

#include <string>
#include <vector>

#include "datasets/measurement.h"
#include "scenarios/object_reader.h"

namespace cubicbench::datasets {

/// What a rule of a file of defaults asks of a row's text column.
struct RowCondition {
  std::string Measurement::*column = nullptr;
  std::string contains;  ///< whatever its case; "": asks nothing
  std::string from;      ///< the cell is not before this, in byte order, as dates are; "": nothing
  std::string before;    ///< the cell is before this; "": asks nothing
};

/// An array of `{"column", "contains" | "from" | "before"}`, which must all hold.
std::vector<RowCondition> read_conditions(scenarios::ObjectReader& in, std::string_view key);

/// Do all conditions hold for `row`? An empty cell meets none that asks something.
bool holds(const std::vector<RowCondition>& conditions, const Measurement& row);

/// Does `text` contain `part`, upper and lower case of ASCII letters being alike?
bool contains_text(std::string_view text, std::string_view part);

}  // namespace cubicbench::datasets
