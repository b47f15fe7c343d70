#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "results/document/file_pieces.h"

namespace cubicbench::results {

/// Writes CSV field by field, as csv_of() would a table, for files with a line per launch: there
/// may be a million, and a table of them would take gigabytes.
class CsvLines {
 public:
  /// `columns`: the first line. Pieces go to `write`, the last of them at end().
  CsvLines(std::string_view columns, FilePiece write) : write_(std::move(write)), text_(columns) {}

  CsvLines& add(std::string_view text);
  CsvLines& add(double value);
  CsvLines& add(std::signed_integral auto value) { return add_integer(value); }
  CsvLines& add(std::unsigned_integral auto value) {
    return add_integer(static_cast<std::int64_t>(value));
  }
  template <class Number>
  CsvLines& add(const std::optional<Number>& value) {
    return value ? add(*value) : empty();
  }
  CsvLines& empty(int fields = 1);

  void end_line();
  void end();

 private:
  CsvLines& add_integer(std::int64_t value);
  void begin_field();

  FilePiece write_;
  std::string text_;
  bool in_line_ = false;
};

}  // namespace cubicbench::results
