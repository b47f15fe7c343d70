#include "results/document/csv_lines.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "support/csv.h"

namespace cubicbench::results {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16;

template <class Number>
void append(std::string& text, Number value) {
  std::array<char, 32> buffer;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), written.ptr);
}

}  // namespace

void CsvLines::begin_field() {
  if (in_line_) text_ += ',';
  in_line_ = true;
}

CsvLines& CsvLines::add(std::string_view text) {
  begin_field();
  text_ += support::csv_field(text);
  return *this;
}

CsvLines& CsvLines::add(double value) {
  begin_field();
  if (std::isfinite(value)) append(text_, value);
  return *this;
}

CsvLines& CsvLines::add_integer(std::int64_t value) {
  begin_field();
  append(text_, value);
  return *this;
}

CsvLines& CsvLines::empty(int fields) {
  for (; fields > 0; --fields) begin_field();
  return *this;
}

void CsvLines::end_line() {
  text_ += '\n';
  in_line_ = false;
  if (text_.size() < piece_bytes) return;
  write_(text_);
  text_.clear();
}

void CsvLines::end() {
  write_(text_);
  text_.clear();
}

}  // namespace cubicbench::results
