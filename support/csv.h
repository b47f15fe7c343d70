#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::support {

/// One field of a record and where it starts: line and byte of the line, both from 1.
struct CsvCell {
  std::string text{};  ///< without its quotes
  std::size_t line = 1;
  std::size_t column = 1;
};

struct CsvRecord {
  std::string_view text{};  ///< as it stands in the file, without the line end
  std::size_t line = 1;
  std::vector<CsvCell> cells{};
};

/// A table with a header. Every record has as many cells as the header. `text` of its records
/// points into what was read.
struct CsvTable {
  CsvRecord header;
  std::vector<CsvRecord> records;

  /// Position of the column of that name.
  std::optional<std::size_t> column(std::string_view name) const;
};

/// A longer record is a broken file, not a run: one without line ends, or with a quote that nobody
/// closes. Likewise a wider header.
inline constexpr std::size_t csv_record_bytes_max = std::size_t{1} << 20;
inline constexpr std::size_t csv_columns_max = 1000;

/// Reads UTF-8 text as a table [RFC 4180, section 2]: commas, double quotes that are written twice
/// inside quotes, lines that end in LF or CRLF, the last one perhaps in neither. A byte order mark
/// and empty lines are passed over. Throws InputError with problems `FILE:LINE:COLUMN: ...` for
/// anything else: an open quote, text beside quotes, a lone carriage return, a zero byte, a record
/// of another length or beyond the limits above, two columns of one name, no header.
CsvTable read_csv(std::string_view text, const std::string& file);

/// `FILE:LINE:COLUMN`, as messages name a cell.
std::string where_of(const std::string& file, const CsvCell& cell);

/// `text` as one field of a CSV file: in double quotes, which are written twice inside, where it
/// holds a comma, a quote or a line break [RFC 4180, section 2].
std::string csv_field(std::string_view text);

/// The fields of one record with commas between them and a line feed after them.
std::string csv_record(std::span<const std::string> fields);

}  // namespace cubicbench::support
