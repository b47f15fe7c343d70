#include <gtest/gtest.h>

#include "scenarios/collective/collective_question.h"
#include "support/input_error.h"

namespace cubicbench::scenarios {
namespace {

TEST(MessageSizes, AreReadAsNcclTestsHasThem) {
  using Sizes = std::vector<double>;
  struct Case {
    const char* text;
    Sizes expected;
  };
  for (const Case& c :
       {Case{"8", {8}}, Case{"8B", {8}}, Case{"1K", {1024}}, Case{"8M", {8388608}},
        Case{"1GiB", {1073741824}}, Case{"1GB", {1e9}}, Case{"2T", {2199023255552.0}},
        Case{"1K:8K", {1024, 2048, 4096, 8192}}, Case{"1K:5K", {1024, 2048, 4096}},
        Case{"8:8", {8}}, Case{"8m", {8388608}}, Case{"1.5G", {1610612736}}, Case{"1e9", {1e9}},
        Case{"1gib", {1073741824}}, Case{"0.5k:2k", {512, 1024, 2048}}, Case{"1.3", {1}},
        Case{"1M:1G:32", {1048576, 33554432, 1073741824}}}) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(message_sizes(c.text, "--size"), c.expected);
  }
}

TEST(MessageSizes, AnythingElseIsRefused) {
  for (const char* text : {"",          "M",
                           "-1",        "0",
                           "1Mi",       "8Q",
                           "0.5",       "inf",
                           "nan",       "0x10",
                           "-1e3",      "1e300",
                           "1K:",       ":1K",
                           "2K:1K",     "1K:2K:1",
                           "1K:2K:0",   "1K:2K:x",
                           "1K:2K:2:2", "1K:2K:1.5",
                           "2000T",     "99999999999999999999"}) {
    SCOPED_TRACE(text);
    EXPECT_THROW(message_sizes(text, "--size"), support::InputError);
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
