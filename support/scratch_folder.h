#pragma once

#include <filesystem>

#include "support/files.h"

namespace cubicbench::support {

/// A new, empty folder among the machine's temporary files, which is gone with all it holds when
/// its owner is. Nobody but its user may look into it. It is locked while its owner lives: what
/// killed processes of this user left is removed when another one is made.
class ScratchFolder {
 public:
  /// Throws OutputError.
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  FileDescriptor lock_;  ///< of the folder; open as long as its owner lives
};

}  // namespace cubicbench::support
