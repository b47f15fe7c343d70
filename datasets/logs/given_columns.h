#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::datasets {

/// A cell of the measurement schema that logs do not state.
struct GivenColumn {
  std::string name;
  std::string value;
  bool operator==(const GivenColumn&) const = default;
};

/// For all logs that are read together; none by default.
using GivenColumns = std::span<const GivenColumn>;

/// Reads `NAME=VALUE`. Throws InputError at `where` for what is no column of the measurement schema
/// or no value of it, and for columns that only a log can state.
GivenColumn parse_given_column(std::string_view text, const std::string& where);

}  // namespace cubicbench::datasets
