#include "search/folder/shard.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/input_error.h"

namespace cubicbench::search {
namespace {

TEST(Shard, IsReadAndWrittenBack) {
  for (const char* const text : {"1/1", "1/3", "3/3", "999999/1000000"}) {
    EXPECT_EQ(text_of(parse_shard(text, "--shard")), text);
  }
  EXPECT_EQ(parse_shard("2/3", "--shard"), (Shard{.index = 2, .of = 3}));
}

TEST(Shard, SaysWhatIsWrong) {
  for (const std::string_view text : {"", "/", "1", "1/", "/3", "0/3", "4/3", "1/0", "-1/3", "+1/3",
                                      "1/3/", " 1/3", "01/3", "1/03", "1.0/3", "1/1000001"}) {
    SCOPED_TRACE(text);
    try {
      parse_shard(text, "--shard");
      ADD_FAILURE() << "expected an error";
    } catch (const support::InputError& error) {
      EXPECT_EQ(error.what(), "--shard: expected I/N with 1 <= I <= N <= 1000000, got \"" +
                                  std::string(text) + "\"");
    }
  }
}

TEST(Shard, EveryStudyIsInOne) {
  for (std::int64_t of = 1; of <= 7; ++of) {
    for (std::int64_t number = 0; number < 30; ++number) {
      int shards = 0;
      for (std::int64_t index = 1; index <= of; ++index) {
        if (has_study({.index = index, .of = of}, number)) ++shards;
      }
      EXPECT_EQ(shards, 1);
    }
  }
  EXPECT_TRUE(is_whole(Shard{}));
  EXPECT_FALSE(is_whole({.index = 1, .of = 2}));
}

}  // namespace
}  // namespace cubicbench::search
