#pragma once

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <filesystem>

namespace cubicbench::search {

/// While one of these lives, nothing below a folder can be written, not even by root.
class ReadOnlyFolder {
 public:
  explicit ReadOnlyFolder(const std::filesystem::path& path) : path_(path) {
    using std::filesystem::perms;
    constexpr perms read = perms::owner_read | perms::group_read | perms::others_read;
    set_permissions(read, read | perms::owner_exec | perms::group_exec | perms::others_exec);
    if (is_root_) {
      EXPECT_EQ(::seteuid(nobody), 0);
    }
  }
  ReadOnlyFolder(const ReadOnlyFolder&) = delete;
  ReadOnlyFolder& operator=(const ReadOnlyFolder&) = delete;
  ~ReadOnlyFolder() {
    if (is_root_) {
      EXPECT_EQ(::seteuid(0), 0);
      ::prctl(PR_SET_DUMPABLE, 1);  // which a sanitizer needs at the end
    }
    set_permissions(std::filesystem::perms::owner_all, std::filesystem::perms::owner_all);
  }

 private:
  static constexpr uid_t nobody = 65'534;

  void set_permissions(std::filesystem::perms files, std::filesystem::perms folders) const {
    std::filesystem::permissions(path_, folders | std::filesystem::perms::owner_all);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      std::filesystem::permissions(entry.path(), entry.is_directory() ? folders : files);
    }
    std::filesystem::permissions(path_, folders);
  }

  std::filesystem::path path_;
  bool is_root_ = ::geteuid() == 0;
};

}  // namespace cubicbench::search
