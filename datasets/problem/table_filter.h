#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "support/csv.h"
#include "support/json/object_reader.h"

namespace cubicbench::datasets {

/// Which rows of a table count: every condition must hold.
class TableFilter {
 public:
  /// Reads {"column": value or [values], ...}. A value is a text that the cell is, a number that it
  /// equals, or true or false for 1 or 0; "" is an empty cell. Columns that the table lacks and
  /// values of another kind are added to the reader's problems.
  TableFilter(support::ObjectReader& in, const support::CsvTable& table);

  bool admits(const support::CsvRecord& record) const;

 private:
  struct Value {
    std::string text;  ///< of a number its shortest form
    bool number = false;
  };
  struct Condition {
    std::size_t column = 0;
    std::vector<Value> values;
  };

  static void read_value(const support::ValueReader& in, std::vector<Value>& values);
  static bool equals(const Value& value, const std::string& cell);

  std::vector<Condition> conditions_;
};

}  // namespace cubicbench::datasets
