#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/layout/html_table.h"

namespace cubicbench::results {

/// `text` inside a line of Markdown: what would be markup, and `|`, is taken literally; control
/// characters become spaces.
std::string markdown_escaped(std::string_view text);

/// The same table as html_table(), for Markdown as GitHub reads it.
std::string markdown_table(const std::vector<HtmlColumn>& columns,
                           const std::vector<std::vector<std::string>>& rows);

}  // namespace cubicbench::results
