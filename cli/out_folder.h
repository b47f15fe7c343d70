#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace cubicbench::cli {

/// The names of what is in the folder, temporary files included; none where there is no folder yet.
/// Throws InputError at `where`, `expected EXPECTED, got ...`, when a file is there or on the way.
std::set<std::string> names_in(const std::filesystem::path& folder, const std::string& where,
                               const std::string& expected);

/// A folder that is not there or holds nothing: nothing that is there is written over. Throws
/// InputError at `where`.
void require_new_folder(const std::filesystem::path& folder, const std::string& where);

/// A new or empty folder, or one that `paper` left with these studies: their folders, one with a
/// plan.json, and the page, index.*. Throws InputError at --out.
void require_paper_folder(const std::filesystem::path& folder,
                          const std::set<std::string>& studies);

}  // namespace cubicbench::cli
