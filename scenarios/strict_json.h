#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace cubicbench::scenarios {

/// Objects and arrays may be nested this deep; `[]` has depth 1.
inline constexpr int json_depth_max = 64;

/// Reads one JSON document (RFC 8259) and keeps its keys in order, integers apart from floats.
///
/// Throws one InputError. Syntax is reported at `FILE:LINE:COLUMN` (from 1, columns count bytes):
/// an empty file, a byte order mark, invalid UTF-8, NaN and Infinity, comments, a trailing comma,
/// text after the document. What is good JSON but no good document is reported at `FILE#/pointer`:
/// a key that is there twice, nesting deeper than `json_depth_max`, a number no 64-bit integer
/// and no double can hold. A number with a fraction or an exponent is a float; any other is an
/// integer and must lie in [-2^63, 2^64).
/// Takes time linear in the text up to the logarithm of an object's size.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& file);

}  // namespace cubicbench::scenarios
