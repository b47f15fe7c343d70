#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "support/file_descriptor.h"

namespace cubicbench::support {

/// The largest input file that is read; anything longer is a mistake, not a description.
inline constexpr std::size_t file_bytes_max = std::size_t{64} << 20;

/// The whole content of `path`, byte for byte. Throws InputError, with the path as `where`, when
/// it is missing, a folder, unreadable, or longer than `file_bytes_max`.
std::string read_file(const std::filesystem::path& path);

/// A file that is written piece by piece, so that a reader or a crash sees the old content or the
/// new and nothing between: writes `path`.tmp, and once it is complete flushes it to the disk,
/// renames it over `path` and flushes the folder. The folder must exist, and `path` must be new or
/// a regular file (a link to one is replaced, not followed). Functions throw OutputError, naming
/// the path and the system's reason; what was not kept is removed.
class StreamedFile {
 public:
  explicit StreamedFile(std::filesystem::path path);
  StreamedFile(const StreamedFile&) = delete;
  StreamedFile& operator=(const StreamedFile&) = delete;
  ~StreamedFile();

  void add(std::string_view piece);
  /// Gives the file its name.
  void keep();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  FileDescriptor file_;
  bool kept_ = false;
};

/// Replaces `path` by a file holding `text`, as StreamedFile does, which says what is thrown.
void write_file_atomic(const std::filesystem::path& path, std::string_view text);

}  // namespace cubicbench::support
