#include "support/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "support/input_error.h"
#include "support/named_files.h"
#include "support/output_place.h"
#include "support/temporary_file.h"

namespace cubicbench::support {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void unreadable(const std::filesystem::path& path, int error) {
  if (error == EMFILE || error == ENFILE || error == ENOMEM || error == EIO) {
    throw OutputError("cannot read " + path.string() + ": " + reason(error));
  }
  if (error == ENOENT) throw InputError(path.string(), "expected a file, got none");
  if (error == EISDIR) throw InputError(path.string(), "expected a file, got a folder");
  throw InputError(path.string(), "expected a readable file, got: " + reason(error));
}

/// What is read as a file; a pipe or a device only where its name says so.
void require_content(const fs::path& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) unreadable(path, EISDIR);
  if (S_ISREG(status.st_mode) || path.native().starts_with("/dev/")) return;
  throw InputError(path.string(), std::string("expected a file, got a ") +
                                      (S_ISFIFO(status.st_mode)   ? "pipe"
                                       : S_ISSOCK(status.st_mode) ? "socket"
                                                                  : "device"));
}

/// Refuses what is not to be read, and makes the rest block where there is nothing to read yet.
void admit(const FileDescriptor& file, const fs::path& path) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) unreadable(path, errno);
  require_content(path, status);
  note_input(path, status);
  if (!S_ISREG(status.st_mode) && ::fcntl(file.get(), F_SETFL, 0) != 0) unreadable(path, errno);
}

std::string all_of(const FileDescriptor& file, const fs::path& path) {
  std::string text;
  if (struct stat status{}; ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode)) {
    text.reserve(std::min(static_cast<std::size_t>(status.st_size), file_bytes_max));
  }
  // Left as it is: what is read fills it.
  std::array<char, std::size_t{1} << 15> chunk;
  while (true) {
    const ssize_t got = ::read(file.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) unreadable(path, errno);
    if (got == 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(got));
    if (text.size() > file_bytes_max) {
      throw InputError(path.string(), "expected a file of at most 64 MiB, got a longer one");
    }
  }
}

[[noreturn]] void unwritable(const std::filesystem::path& path, const std::string& why) {
  throw OutputError("cannot write " + path.string() + ": " + why);
}

void flush_folder(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) unwritable(path, reason(errno));
  // Some file systems cannot flush a folder and say EINVAL; there is nothing more to do on them.
  if (::fsync(opened.get()) != 0 && errno != EINVAL) unwritable(path, reason(errno));
}

}  // namespace

bool FileDescriptor::close() {
  const int fd = release();
  return fd < 0 || ::close(fd) == 0;
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

FileDescriptor open_to_read(const fs::path& path) {
  // Without O_NONBLOCK, opening a pipe that has no writer blocks.
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file) unreadable(path, errno);
  admit(file, path);
  return file;
}

std::string read_file(const fs::path& path) { return all_of(open_to_read(path), path); }

std::string read_open_file(const FileDescriptor& file, const fs::path& path) {
  admit(file, path);
  return all_of(file, path);
}

StreamedFile::StreamedFile(std::filesystem::path path) : path_(std::move(path)) {
  require_replaceable(path_);
  file_ = std::make_unique<TemporaryFile>(path_);
}

StreamedFile::~StreamedFile() = default;

void StreamedFile::add(std::string_view piece) {
  if (!write_all(file_->fd(), piece)) unwritable(path_, reason(errno));
}

void StreamedFile::keep() {
  if (::fsync(file_->fd()) != 0) unwritable(path_, reason(errno));
  if (std::rename(file_->path().c_str(), path_.c_str()) != 0) unwritable(path_, reason(errno));
  file_->release();  // and closes it: without its lock it would have counted as left behind
  flush_folder(path_);
}

void write_file_atomic(const std::filesystem::path& path, std::string_view text) {
  StreamedFile file(path);
  file.add(text);
  file.keep();
}

void make_folders(const std::filesystem::path& folder) {
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) unwritable(folder, reason(error.value()));
}

std::set<std::string> names_in(const std::filesystem::path& folder, const std::string& where,
                               const std::string& expected) {
  std::error_code error;
  std::set<std::string> names;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.insert(it->path().filename().string());
  }
  if (error == std::errc::not_a_directory) {
    std::error_code ignored;
    throw InputError(where, "expected " + expected + ", got " +
                                (fs::exists(folder, ignored) ? "a file" : "a path through a file"));
  }
  return names;  // a folder that cannot be read cannot be written either, which is said then
}

void require_new_folder(const fs::path& folder, const std::string& where) {
  constexpr const char* new_or_empty = "a new or empty folder";
  const std::set<std::string> names = names_in(folder, where, new_or_empty);
  if (!names.empty()) {
    throw InputError(where, std::string("expected ") + new_or_empty + ", got one with \"" +
                                shortened(*names.begin()) + "\"");
  }
}

}  // namespace cubicbench::support
