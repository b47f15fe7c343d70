#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/document/markdown.h"
#include "results/layout/html_table.h"

namespace cubicbench::results {

/// The same table as html_table(), for Markdown as GitHub reads it.
std::string markdown_table(const std::vector<HtmlColumn>& columns,
                           const std::vector<std::vector<std::string>>& rows);

}  // namespace cubicbench::results
