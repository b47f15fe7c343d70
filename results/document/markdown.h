#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "results/document/document.h"

namespace cubicbench::results {

/// The document as Markdown that GitHub shows: its title as the first heading, no figures. Ends
/// with one line feed.
std::string markdown_text(const Document& document);

/// The same with its figures, whose files are written into `folder`, which is named as seen from
/// its parent. Throws OutputError.
std::string markdown_page(const Document& document, const std::filesystem::path& folder);

/// `text` inside a line of Markdown: what would be markup, and `|`, is taken literally; control
/// characters become spaces.
std::string markdown_escaped(std::string_view text);

}  // namespace cubicbench::results
