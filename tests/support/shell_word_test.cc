#include "support/shell_word.h"

#include <gtest/gtest.h>

namespace cubicbench::support {
namespace {

TEST(ShellWord, IsReadBackAsItWas) {
  EXPECT_EQ(shell_word("micro_batch=8"), "micro_batch=8");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("/my dir/a.sh"), "'/my dir/a.sh'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
}

}  // namespace
}  // namespace cubicbench::support
