#pragma once

#include <string>
#include <string_view>

namespace cubicbench::results {

/// The body of a page in which the first use of each word of the glossary, in a paragraph, a list
/// or a table, says what it means to who points at it. Headings, links, code, figures and what a
/// reader chooses from stay as they are.
std::string with_tooltips(std::string_view html);

}  // namespace cubicbench::results
