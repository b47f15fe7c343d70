#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cubicbench::scenarios {

/// The one text that equal documents share, which is what gets hashed: keys sorted by their bytes,
/// no spaces, strings in UTF-8 with only `"`, `\` and control characters escaped, numbers in
/// the shortest decimal form that reads back to the same double.
///
/// Equal numbers hash alike however they were written: a float that is a whole number below 2^53
/// prints as that integer, so `4`, `4.0` and `4e0` are all `4`, and `-0.0` is `0`. Integers print
/// exactly. Requires finite numbers and valid UTF-8, as parse_json() returns them.
std::string canonical(const nlohmann::ordered_json& value);

/// `value` in the shortest decimal form that reads back to the same double, as canonical() has it.
/// Requires a finite value.
std::string shortest(double value);

}  // namespace cubicbench::scenarios
