#pragma once

#include <string>
#include <string_view>

namespace cubicbench::results {

/// `text` inside XML or HTML, as text or in a quoted attribute: `& < > " '` become references,
/// control characters other than a line feed or a tab become U+FFFD, which is what no document may
/// hold.
std::string escaped(std::string_view text);

}  // namespace cubicbench::results
