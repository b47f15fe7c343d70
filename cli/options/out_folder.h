#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "cli/options/options.h"

namespace cubicbench::cli {

/// --out DIR, a new folder for a page, its figures and their numbers.
void declare_page(Options& options, std::optional<std::filesystem::path>& out);

/// A new or empty folder, or one that `paper` left with these studies: their folders, one with a
/// plan.json, and the page, index.*. Throws InputError at --out.
void require_paper_folder(const std::filesystem::path& folder,
                          const std::set<std::string>& studies);

}  // namespace cubicbench::cli
