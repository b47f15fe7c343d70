#pragma once

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

}  // namespace cubicbench::support
