#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cubicbench::results {

/// `text` as one field of a CSV file: in double quotes, which are written twice inside, where it
/// holds a comma, a quote or a line break [RFC 4180, section 2].
std::string csv_field(std::string_view text);

/// The fields of one record with commas between them and a line feed after them.
std::string csv_record(std::span<const std::string> fields);

}  // namespace cubicbench::results
