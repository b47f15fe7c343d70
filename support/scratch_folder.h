#pragma once

#include <filesystem>

namespace cubicbench::support {

/// A new, empty folder among the machine's temporary files, which is gone with all it holds when
/// its owner is. Nobody but its user may look into it.
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
};

}  // namespace cubicbench::support
