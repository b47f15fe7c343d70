#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace cubicbench::support {

/// Makes the folder, and those above it; nothing for "". Throws OutputError, naming the path and
/// the system's reason.
void make_folders(const std::filesystem::path& folder);

/// The names of what is in the folder, temporary files included; none where there is no folder yet.
/// Throws InputError at `where`, `expected EXPECTED, got ...`, when a file is there or on the way.
std::set<std::string> names_in(const std::filesystem::path& folder, const std::string& where,
                               const std::string& expected);

/// A folder that is not there or holds nothing: nothing that is there is written over. Throws
/// InputError at `where`.
void require_new_folder(const std::filesystem::path& folder, const std::string& where);

/// Whether a file can be written there, which is said before hours of work: its folder is there.
/// Throws InputError at `where` for what is no name of a file, OutputError.
void require_writable_file(const std::string& path, const std::string& where);

}  // namespace cubicbench::support
