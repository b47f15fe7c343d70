#pragma once

#include <filesystem>

#include "support/files.h"

namespace cubicbench::support {

/// Locks the open file for this process, until all its descriptors are closed [flock(2)]; past
/// signals. False, with errno set, when that fails: EWOULDBLOCK where a living process holds it.
bool try_lock(int fd);

/// A new file beside `target` that will take its name: `TARGET.0123456789ab.tmp`. Nobody can
/// foretell the name, no link that stands there is followed, and the file is locked while it is
/// written. So what a killed process left can be told from what a living one writes, and is removed
/// before. Throws OutputError, naming `target` and the system's reason.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  /// Removes it, if it still has its name.
  ~TemporaryFile();

  const std::filesystem::path& path() const { return path_; }
  int fd() const { return file_.get(); }
  /// Gives away the open file, and its lock, once it has its lasting name.
  FileDescriptor release();

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
  bool is_ours_ = true;
};

}  // namespace cubicbench::support
