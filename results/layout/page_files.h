#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "results/document/document.h"

namespace cubicbench::results {

/// Writes `files` beside the page, then the page. Its folder is made when it is not there, each
/// file is replaced as a whole. Returns the names of the files without their folder, the page
/// first. Throws OutputError when one cannot be written.
std::vector<std::string> write_page(const std::filesystem::path& page, const std::string& html,
                                    std::span<const PageFile> files);

}  // namespace cubicbench::results
