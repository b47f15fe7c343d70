#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace cubicbench::support {

/// The one text that equal documents share, which is what gets hashed: keys sorted by their bytes,
/// no spaces, strings as json_string() has them, numbers in the shortest decimal form that reads
/// back to the same double.
///
/// Equal numbers hash alike however they were written: integers print exactly, and so does a float
/// that is a whole number in [-2^63, 2^64). `4`, `4.0` and `4e0` are all `4`, and `-0.0` is `0`.
/// Requires finite numbers and valid UTF-8, as parse_json() returns them.
std::string canonical(const nlohmann::ordered_json& value);

/// The shortest decimal form that reads back to the same double: `0.1`, `4`, `1e+22`, `-0`.
/// Requires a finite value.
std::string shortest(double value);

/// `text` as a JSON string: `"` and `\` get a backslash, control characters are written as
/// `\u000a`, everything else stays as it is.
std::string json_string(std::string_view text);

}  // namespace cubicbench::support
