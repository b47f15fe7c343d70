#include "results/csv.h"

namespace cubicbench::results {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string field = "\"";
  for (const char c : text) {
    field += c;
    if (c == '"') {
      field += '"';
    }
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

}  // namespace cubicbench::results
