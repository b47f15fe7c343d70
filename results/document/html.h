#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "results/document/document.h"

namespace cubicbench::results {

/// `text` inside XML or HTML, as text or in a quoted attribute: `& < > " '` become references,
/// control characters other than a line feed or a tab become U+FFFD, which is what no document may
/// hold.
std::string escaped(std::string_view text);

/// The style sheet of every page, light and dark.
extern const std::string_view page_style;

/// A page and the files that it links to.
struct Page {
  std::string html;
  std::vector<PageFile> files;
};

/// The blocks of the document, without its title, as they stand within a page, and their files.
/// Draws its figures, as page_of() does.
Page page_part(const Document& document);

/// A whole page around `body`, in which words of the glossary are explained: its head, with `style`
/// behind the style sheet of every page.
std::string page_around(const std::string& title, std::string_view style, const std::string& body);

/// The document as a whole HTML page: needs no other file, no script and no network, follows the
/// reader's choice of light or dark, and fits a phone. Draws its figures: throws OutputError when
/// gnuplot is missing or fails.
Page page_of(const Document& document);

/// Writes a file of a page. Throws OutputError.
void write_file(const std::filesystem::path& path, const PageFile& file);

/// Writes the files of the document's page beside `path`, then the page there. Its folder is made
/// when it does not exist, each file is replaced as a whole. Returns the names of the files without
/// their folder, the page first. Throws OutputError.
std::vector<std::string> write_page(const Document& document, const std::filesystem::path& path);

}  // namespace cubicbench::results
