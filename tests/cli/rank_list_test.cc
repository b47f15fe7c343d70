#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cli/requests/event_request.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

TEST(RankList, IsAscendingAndHasEachRankOnce) {
  using Ranks = std::vector<std::int64_t>;
  EXPECT_EQ(listed_ranks("0", 1, "--x"), (Ranks{0}));
  EXPECT_EQ(listed_ranks("8,0,16-19,17", 20, "--x"), (Ranks{0, 8, 16, 17, 18, 19}));
  EXPECT_EQ(listed_ranks("5-5", 8, "--x"), (Ranks{5}));
  EXPECT_EQ(listed_ranks("100-163", 16384, "--x").size(), listed_ranks_max);
}

TEST(RankList, ThatIsWrongIsRefusedWithItsWords) {
  struct Case {
    const char* list;
    const char* messages;
  };
  for (const Case& c : {
           Case{"8", "--trace-ranks: expected ranks of 0 to 7 such as 7 or 0-3, got \"8\""},
           Case{"0,,x",
                "--trace-ranks: expected ranks of 0 to 7 such as 7 or 0-3, got \"\"\n"
                "--trace-ranks: expected ranks of 0 to 7 such as 7 or 0-3, got \"x\""},
           Case{"-3", "--trace-ranks: expected ranks of 0 to 7 such as 7 or 0-3, got \"-3\""},
           Case{"5-3", "--trace-ranks: expected ranks of 0 to 7 such as 7 or 0-3, got \"5-3\""},
           Case{"1-", "--trace-ranks: expected ranks of 0 to 7 such as 7 or 0-3, got \"1-\""},
           Case{"0-99999999999999999999",
                "--trace-ranks: expected ranks of 0 to 7 such as 7 or "
                "0-3, got \"0-99999999999999999999\""},
           Case{"1 2", "--trace-ranks: expected ranks of 0 to 7 such as 7 or 0-3, got \"1 2\""},
       }) {
    SCOPED_TRACE(c.list);
    try {
      listed_ranks(c.list, 8, "--trace-ranks");
      ADD_FAILURE() << "accepted";
    } catch (const support::InputError& error) {
      EXPECT_STREQ(error.what(), c.messages);
    }
  }
}

}  // namespace
}  // namespace cubicbench::cli
