#include "support/absolute_path.h"

#include <gtest/gtest.h>

namespace cubicbench::support {
namespace {

TEST(AbsolutePath, IsFoundInACommandInAllDoubt) {
  for (const char* const command :
       {"/bin/true", "sh /x", "a -I/usr", "-Iout/a", "a,/tmp", "x='/y'"}) {
    EXPECT_TRUE(has_absolute_path(command)) << command;
  }
  for (const char* const command :
       {"true", "sh ./run.sh", "a-b/c", "../c", "$HOME/c", "--dir=out/a"}) {
    EXPECT_FALSE(has_absolute_path(command)) << command;
  }
}

}  // namespace
}  // namespace cubicbench::support
