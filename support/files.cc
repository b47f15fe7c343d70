#include "support/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "support/input_error.h"

namespace cubicbench::support {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void unreadable(const std::filesystem::path& path, int error) {
  if (error == ENOENT) throw InputError(path.string(), "expected a file, got none");
  if (error == EISDIR) throw InputError(path.string(), "expected a file, got a folder");
  throw InputError(path.string(), "expected a readable file, got: " + reason(error));
}

[[noreturn]] void unwritable(const std::filesystem::path& path, const std::string& why) {
  throw OutputError("cannot write " + path.string() + ": " + why);
}

/// Renaming over a device or a pipe would replace it by a file, and a folder cannot be replaced.
void require_replaceable(const std::filesystem::path& path) {
  if (!path.has_filename()) unwritable(path, "not a file name");
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) unwritable(path, reason(EISDIR));
  if (!S_ISREG(status.st_mode)) unwritable(path, "not a regular file");
}

void flush_folder(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) unwritable(path, reason(errno));
  // Some file systems cannot flush a folder and say EINVAL; there is nothing more to do on them.
  if (::fsync(opened.get()) != 0 && errno != EINVAL) unwritable(path, reason(errno));
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) unreadable(path, errno);

  std::string text;
  std::string chunk(std::size_t{1} << 16, '\0');
  while (true) {
    const ssize_t got = ::read(file.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) unreadable(path, errno);
    if (got == 0) return text;
    text.append(chunk, 0, static_cast<std::size_t>(got));
    if (text.size() > file_bytes_max) {
      throw InputError(path.string(), "expected a file of at most 64 MiB, got a longer one");
    }
  }
}

StreamedFile::StreamedFile(std::filesystem::path path)
    : path_(std::move(path)), temporary_(path_.string() + ".tmp") {
  require_replaceable(path_);
  file_ = FileDescriptor(
      ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t{0666}));
  if (!file_) unwritable(path_, reason(errno));
}

StreamedFile::~StreamedFile() {
  if (!kept_) ::unlink(temporary_.c_str());
}

void StreamedFile::add(std::string_view piece) {
  if (!write_all(file_.get(), piece)) unwritable(path_, reason(errno));
}

void StreamedFile::keep() {
  if (::fsync(file_.get()) != 0 || !file_.close()) unwritable(path_, reason(errno));
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) unwritable(path_, reason(errno));
  kept_ = true;
  flush_folder(path_);
}

void write_file_atomic(const std::filesystem::path& path, std::string_view text) {
  StreamedFile file(path);
  file.add(text);
  file.keep();
}

}  // namespace cubicbench::support
