#pragma once

#include <filesystem>
#include <string>

#include "support/files.h"

namespace cubicbench::support {

/// A folder that appears with all of its files or not at all: they are written in `OUT.tmp` beside
/// it, a folder of ours, and renamed. What a killed process left there is removed, also when it had
/// given the folder its name already.
class NewFolder {
 public:
  /// Throws InputError at `where` unless `out` is missing or empty, and not the working folder;
  /// InputError where something else has the name `OUT.tmp`, and OutputError where a living process
  /// writes in it.
  NewFolder(const std::filesystem::path& out, std::string where);
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder();

  /// Makes the folder in which to write, which this process alone holds from now on, and returns
  /// its path. Throws OutputError.
  std::filesystem::path make();
  /// Gives it its name. Throws OutputError.
  void keep() const;
  /// Or moves its files into a folder that is there, over those of the same names: all of them or,
  /// where one cannot be replaced, none. Throws OutputError.
  void move_into(const std::filesystem::path& folder) const;

 private:
  void remove_left() const;
  void require_new() const;
  [[noreturn]] void unwritable(int error) const;

  std::filesystem::path out_;
  std::string where_;
  std::filesystem::path folder_;
  FileDescriptor marker_;  ///< locked
};

}  // namespace cubicbench::support
