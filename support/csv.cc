#include "support/csv.h"

#include <algorithm>
#include <utility>

#include "support/characters.h"
#include "support/input_error.h"

namespace cubicbench::support {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string place_text(std::size_t line, std::size_t column) {
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// Reads one cell and one record after the other, and throws at the first thing that makes the
/// rest of the text unreadable.
class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {
    if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
      refuse("expected UTF-8 text, got the byte order mark of UTF-16");
    }
    if (text_.starts_with(byte_order_mark)) {
      at_ = byte_order_mark.size();
      line_start_ = at_;
    }
  }

  /// Keeps at most `kept_max` cells, so that a long line of commas takes no more memory than it
  /// has bytes, and counts all of them. Nothing at the end of the text.
  std::optional<CsvRecord> record(std::size_t kept_max) {
    while (at_line_end()) end_line();
    if (at_ == text_.size()) return std::nullopt;
    record_start_ = at_;
    CsvRecord record{.line = line_};
    record.cells.push_back(cell());
    cell_count_ = 1;
    while (at_ < text_.size() && text_[at_] == ',') {
      ++at_;
      check_length();
      CsvCell next = cell();
      if (++cell_count_ <= kept_max) record.cells.push_back(std::move(next));
    }
    record.text = text_.substr(record_start_, at_ - record_start_);
    if (at_ < text_.size()) end_line();
    return record;
  }

  /// Cells of the last record, kept or not.
  std::size_t cell_count() const { return cell_count_; }

 private:
  CsvCell cell() {
    cell_start_ = {.line = line_, .column = at_ - line_start_ + 1};
    CsvCell cell = cell_start_;
    if (at_ < text_.size() && text_[at_] == '"') {
      read_quoted(cell);
    } else {
      read_plain(cell);
    }
    return cell;
  }

  void read_plain(CsvCell& cell) {
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != ',' && !at_line_end()) {
      if (text_[at_] == '"') refuse("expected quotes around a cell that holds one, got plain text");
      pass_character();
    }
    cell.text = text_.substr(start, at_ - start);
  }

  void read_quoted(CsvCell& cell) {
    for (++at_; at_ < text_.size();) {
      if (text_[at_] == '"') {
        ++at_;
        if (at_ == text_.size() || text_[at_] != '"') return require_end_of_cell(cell);
      }
      if (at_ - record_start_ >= csv_record_bytes_max) {
        throw InputError(where_of(file_, cell), "expected a closing quote, got none in " +
                                                    std::to_string(csv_record_bytes_max) +
                                                    " bytes");
      }
      const std::size_t start = at_;
      if (text_[at_] == '\n') {
        pass_line();
      } else {
        pass_character();
      }
      cell.text += text_.substr(start, at_ - start);
    }
    throw InputError(where_of(file_, cell), "expected a closing quote, got the end of the file");
  }

  /// A quote that nobody closes is closed by the next one, perhaps many lines below: then it is
  /// the opening one that has to be looked at.
  void require_end_of_cell(const CsvCell& cell) const {
    if (at_ < text_.size() && text_[at_] != ',' && !at_line_end()) {
      const std::string opened =
          cell.line == line_ ? "" : ", which was opened in " + place_text(cell.line, cell.column);
      refuse("expected a comma or the end of the line after a closing quote" + opened);
    }
  }

  bool at_line_end() const {
    if (at_ == text_.size()) return false;
    if (text_[at_] == '\n') return true;
    if (text_[at_] != '\r') return false;
    if (at_ + 1 < text_.size() && text_[at_ + 1] == '\n') return true;
    refuse("expected a line feed after the carriage return");
  }

  void end_line() {
    if (text_[at_] == '\r') ++at_;
    pass_line();
  }

  void pass_line() {
    ++at_;
    ++line_;
    line_start_ = at_;
  }

  void pass_character() {
    const std::size_t bytes = utf8_character(text_.substr(at_, 4));
    if (bytes == 0) refuse("expected UTF-8 text, got the byte 0x" + hex_of(text_[at_]));
    if (text_[at_] == '\0') refuse("expected UTF-8 text, got a zero byte, as in UTF-16");
    at_ += bytes;
    check_length();
  }

  void check_length() const {
    if (at_ - record_start_ <= csv_record_bytes_max) return;
    throw InputError(
        where_of(file_, cell_start_),
        "expected a line of at most " + std::to_string(csv_record_bytes_max) + " bytes, got more");
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(where_of(file_, {.line = line_, .column = at_ - line_start_ + 1}), why);
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  std::size_t record_start_ = 0;
  CsvCell cell_start_;
  std::size_t cell_count_ = 0;
};

void check_names(const CsvRecord& header, const std::string& file, std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    const CsvCell& cell = header.cells[i];
    const auto earlier = std::span(header.cells).first(i);
    // Programs that write row numbers leave their column without a name.
    if (!cell.text.empty() &&
        std::ranges::find(earlier, cell.text, &CsvCell::text) != earlier.end()) {
      add_problem(problems, {where_of(file, cell), "expected a column name of its own, got \"" +
                                                       shortened(cell.text) + "\" again"});
    }
  }
}

std::string cells_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " cell" : " cells");
}

}  // namespace

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
  const auto found = std::ranges::find(header.cells, name, &CsvCell::text);
  if (found == header.cells.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.cells.begin());
}

CsvTable read_csv(std::string_view text, const std::string& file) {
  Reader reader(text, file);
  std::vector<Problem> problems;
  CsvTable table;
  std::optional<CsvRecord> header = reader.record(csv_columns_max);
  if (!header) {
    throw InputError(file + ":1:1", "expected a header with the names of the columns, got nothing");
  }
  if (reader.cell_count() > csv_columns_max) {
    throw InputError(file + ":" + std::to_string(header->line) + ":1",
                     "expected at most " + std::to_string(csv_columns_max) + " columns, got " +
                         std::to_string(reader.cell_count()));
  }
  table.header = std::move(*header);
  check_names(table.header, file, problems);
  const std::size_t columns = table.header.cells.size();
  while (std::optional<CsvRecord> record = reader.record(columns)) {
    if (reader.cell_count() != columns) {
      add_problem(problems, {where_of(file, record->cells.front()),
                             "expected " + cells_text(columns) + " as in the header, got " +
                                 std::to_string(reader.cell_count())});
      if (problems.size() == problems_max) break;
      continue;
    }
    table.records.push_back(std::move(*record));
  }
  throw_if_any(problems);
  return table;
}

std::string where_of(const std::string& file, const CsvCell& cell) {
  return file + ":" + std::to_string(cell.line) + ":" + std::to_string(cell.column);
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    field += c;
    if (c == '"') field += '"';
  }
  return field + '"';
}

std::string csv_record(std::span<const std::string> fields) {
  std::string record;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    record += (i == 0 ? "" : ",") + csv_field(fields[i]);
  }
  return record + '\n';
}

}  // namespace cubicbench::support
