#pragma once

#include <filesystem>

#include "support/files.h"

namespace cubicbench::search {

/// Where a merge writes the whole before that gets its name: in `OUT.tmp` beside it, a folder of
/// ours. What a merge left there that was killed is removed, also when it had given the whole its
/// name already.
class MergeFolder {
 public:
  /// Throws InputError where another folder has that name, and OutputError where a living process
  /// merges in it.
  explicit MergeFolder(const std::filesystem::path& out);
  MergeFolder(const MergeFolder&) = delete;
  MergeFolder& operator=(const MergeFolder&) = delete;
  ~MergeFolder();

  /// Where the whole is to be written.
  std::filesystem::path whole() const;

  /// Makes the folder, which this process alone holds from now on. Throws OutputError.
  void make();
  /// Gives the whole its name. Throws OutputError.
  void keep() const;

 private:
  void remove_left() const;
  [[noreturn]] void unwritable(int error) const;

  std::filesystem::path out_;
  std::filesystem::path folder_;
  support::FileDescriptor marker_;  ///< locked
};

}  // namespace cubicbench::search
