#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace cubicbench::support {

/// The largest input file that is read; anything longer is a mistake, not a description.
inline constexpr std::size_t file_bytes_max = std::size_t{64} << 20;

/// The whole content of `path`, byte for byte. Throws InputError, with the path as `where`, when
/// it is missing, a folder, unreadable, or longer than `file_bytes_max`.
std::string read_file(const std::filesystem::path& path);

/// Replaces `path` by a file holding `text`, so that a reader or a crash sees the old content or
/// the new and nothing between: writes `path`.tmp, flushes it to the disk, renames it over `path`
/// and flushes the folder. The folder must exist, and `path` must be new or a regular file (a link
/// to one is replaced, not followed). Throws OutputError, naming the path and the system's reason,
/// and leaves no `.tmp` behind.
void write_file_atomic(const std::filesystem::path& path, std::string_view text);

}  // namespace cubicbench::support
