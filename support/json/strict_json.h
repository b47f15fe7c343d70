#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace cubicbench::support {

/// Objects and arrays may be nested this deep; `[]` has depth 1.
inline constexpr int json_depth_max = 64;

/// Reads one JSON document (RFC 8259) and keeps its keys in order, integers apart from floats.
///
/// Throws one InputError. At `FILE:LINE:COLUMN` (both from 1, columns count bytes) it reports an
/// empty file, a byte order mark, a NUL byte, invalid UTF-8, any syntax error (NaN, Infinity,
/// comments, a trailing comma, text after the document), and nesting beyond `json_depth_max`.
/// At `FILE#/pointer` it reports a key that is there twice and a number too large to hold; a
/// number with a fraction or an exponent is a float, any other is an integer and must lie in
/// [-2^63, 2^64). Reading goes on after those two, up to a hundred problems.
/// Time and memory grow as n log n in the length of the text.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& file);

}  // namespace cubicbench::support
