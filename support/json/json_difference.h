#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::support {

/// A place at which two documents differ, as messages show it.
struct JsonDifference {
  std::string pointer;  ///< JSON pointer; "" for the whole
  std::string asked;    ///< "nothing" where the place is missing
  std::string found;
};

/// Every place at which they differ, in the order of `asked`, what only `found` has last; of an
/// array of plain values the first. 4 and 4.0 are equal, the order of keys does not count.
std::vector<JsonDifference> differences(const nlohmann::ordered_json& asked,
                                        const nlohmann::ordered_json& found);

/// "expected 8, got 4".
std::string text_of(const JsonDifference& difference);

/// "other bytes from byte 9 on": where two texts of equal documents part, from 1.
std::string other_bytes(std::string_view asked, std::string_view found);

}  // namespace cubicbench::support
