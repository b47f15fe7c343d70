#pragma once

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

namespace cubicbench::search {

/// A folder of its own for the running test, gone with it.
class TestFolder {
 public:
  TestFolder() {
    const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string("cubicbench_") + test->test_suite_name() + "_" + test->name());
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }

  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

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

inline std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void write(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::create_directories(path.parent_path());
  std::filesystem::remove(path);  // file systems flush what is truncated and written anew
  std::ofstream out(path, std::ios::binary);
  out << text;
  EXPECT_TRUE(out.good()) << path;
}

/// Relative paths and contents of all files below `folder`.
inline std::map<std::string, std::string> files_below(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) continue;
    files[std::filesystem::relative(entry.path(), folder).generic_string()] = content(entry.path());
  }
  return files;
}

}  // namespace cubicbench::search
