#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace cubicbench::search {

/// The first place at which two documents differ, as messages show it.
struct JsonDifference {
  std::string pointer;  ///< JSON pointer; "" for the whole
  std::string asked;    ///< "nothing" where the place is missing
  std::string found;
};

/// Compares in the order of `asked`; 4 and 4.0 are equal, the order of keys does not count.
std::optional<JsonDifference> first_difference(const nlohmann::ordered_json& asked,
                                               const nlohmann::ordered_json& found);

/// "expected 8, got 4".
std::string text_of(const JsonDifference& difference);

}  // namespace cubicbench::search
