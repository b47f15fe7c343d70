#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::cli {

/// Tests that each have a folder of their own, gone with them.
class FolderTest : public ::testing::Test {
 protected:
  /// That of a file or folder of this name, as command lines have it.
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// The path of a file that now has this text.
  std::string write(const std::string& name, const std::string& text) const {
    write_text(folder_ / name, text);
    return path(name);
  }
  std::string read(const std::string& name) const { return read_text(folder_ / name); }

  const TemporaryFolder folder_;
};

}  // namespace cubicbench::cli
