#pragma once

#include <string>
#include <string_view>

namespace cubicbench::results {

/// A whole HTML page around `body`: needs no other file, no script and no network, follows the
/// reader's choice of light or dark, and fits a phone. `title` is plain text, `body` is HTML.
std::string page_html(std::string_view title, std::string_view body);

}  // namespace cubicbench::results
