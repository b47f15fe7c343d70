#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace cubicbench::support {

/// The one owner of an open file, which is closed with it. Empty is -1, as open(2) has it.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }
  /// Gives it away.
  int release() { return std::exchange(fd_, -1); }
  /// Closes it now; false, with errno set, when that fails.
  bool close();

 private:
  int fd_;
};

/// Writes all of `text`, past signals and short writes; false, with errno set, when that fails.
bool write_all(int fd, std::string_view text);

/// The largest input file that is read; anything longer is a mistake, not a description.
inline constexpr std::size_t file_bytes_max = std::size_t{64} << 20;

/// Opens a file for reading. Throws InputError, with the path as `where`, when it is missing, a
/// folder or unreadable, and for pipes and devices, which could block for ever, unless they are
/// named below /dev, as the shell names `<(...)`.
FileDescriptor open_to_read(const std::filesystem::path& path);

/// The whole content of `path`, byte for byte. Throws InputError as `open_to_read` does, and when
/// it is longer than `file_bytes_max`.
std::string read_file(const std::filesystem::path& path);

/// The same of a file that is open at its beginning.
std::string read_open_file(const FileDescriptor& file, const std::filesystem::path& path);

class TemporaryFile;

/// A file that is written piece by piece, so that a reader or a crash sees the old content or the
/// new and nothing between: writes a TemporaryFile beside it, and once that is complete flushes it
/// to the disk, renames it over `path` and flushes the folder. The folder must exist, and `path`
/// must be new or a regular file (a link to one is replaced, not followed). Functions throw
/// OutputError, naming the path and the system's reason; what was not kept is removed.
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
  std::unique_ptr<TemporaryFile> file_;
};

/// Replaces `path` by a file holding `text`, as StreamedFile does, which says what is thrown.
void write_file_atomic(const std::filesystem::path& path, std::string_view text);

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

}  // namespace cubicbench::support
