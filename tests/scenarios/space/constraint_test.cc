#include "scenarios/space/constraint.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::scenarios {
namespace {

constexpr std::array<std::string_view, 4> names{"gpus", "tensor", "micro_batch", "most"};
constexpr std::array<std::int64_t, 4> slots{64, 8, 3, std::numeric_limits<std::int64_t>::max()};

bool holds(std::string_view text) { return Expression::parse(text, names).evaluate(slots); }

std::string error_of(std::string_view text) {
  try {
    Expression::parse(text, names);
  } catch (const ConstraintError& error) {
    return error.what();
  }
  return "";
}

TEST(Constraint, IsTrueOrFalse) {
  struct Case {
    const char* text;
    bool expected;
  };
  for (const Case& c : {
           Case{"gpus % tensor == 0", true},
           Case{"gpus % (tensor * micro_batch) == 0", false},
           Case{"1 + 2 * 3 == 7", true},
           Case{"(1 + 2) * 3 == 9", true},
           Case{"10 - 3 - 2 == 5", true},  // left to right
           Case{"64 / 8 / 2 == 4", true},
           Case{"2 * 7 % 4 == 2", true},  // (2 * 7) % 4
           Case{"-7 / 2 == -4", true},    // rounds down
           Case{"-7 % 2 == 1", true},     // the divisor's sign
           Case{"7 % -2 == -1", true},
           Case{"7 / 2 == 3", true},
           Case{"- - 3 == 3", true},
           Case{"+3 == 3", true},
           Case{"3", true},
           Case{"0", false},
           Case{"not 0", true},
           Case{"not gpus == 64", false},  // not (gpus == 64)
           Case{"not not tensor", true},
           Case{"1 or 0 and 0", true},  // and binds tighter
           Case{"(1 or 0) and 0", false},
           Case{"not 0 and 0", false},      // (not 0) and 0
           Case{"1 <= tensor <= 8", true},  // chains
           Case{"1 < tensor < 8", false},
           Case{"3 > 2 > 1", true},
           Case{"(3 > 2) > 1", false},  // 1 > 1
           Case{"1 == 1 != 2", true},
           Case{"(gpus == 64) + (tensor == 8) == 2", true},
           Case{"(5 and 7) == 1", true},  // a truth value is 0 or 1
           Case{"gpus!=64", false},
           Case{"gpus>=(64)and(tensor<=8)", true},
           Case{"\tgpus  ==  64 ", true},
       }) {
    EXPECT_EQ(holds(c.text), c.expected) << c.text;
  }
}

TEST(Constraint, ErrorsOfArithmeticMakeItFalse) {
  for (const char* text :
       {"1 / 0 == 1", "1 % 0 == 0", "not (1 / 0)", "not (1 % (gpus - 64) == 5)", "1 / 0 or 1",
        "most + 1 > 0", "0 - most - 2 < 0", "most * 2 > 0", "not (most * 2)",
        "(0 - most - 1) / -1 != 5", "-(0 - most - 1) != 5", "(0 - most - 1) % -1 == 0"}) {
    EXPECT_FALSE(holds(text)) << text;
  }
  EXPECT_TRUE(holds("0 - most - 1 < 0"));
}

TEST(Constraint, SkipsWhatCannotMatter) {
  EXPECT_TRUE(holds("1 or 1 / 0"));
  EXPECT_FALSE(holds("0 and 1 / 0"));
  EXPECT_TRUE(holds("not (0 and 1 / 0)"));
  EXPECT_TRUE(holds("gpus == 64 or gpus % (tensor - 8) == 0"));
}

TEST(Constraint, KnowsWhatItReads) {
  const auto expression = Expression::parse("micro_batch * gpus > micro_batch", names);
  EXPECT_EQ(expression.slots_read(), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(expression.text(), "micro_batch * gpus > micro_batch");
  EXPECT_TRUE(Expression::parse("1 == 1", names).slots_read().empty());
}

TEST(Constraint, NamesTheColumnOfAnError) {
  struct Case {
    const char* text;
    const char* expected;
  };
  for (const Case& c : {
           Case{"", "column 1: expected a number, a name or \"(\", got the end"},
           Case{"gpus ==", "column 8: expected a number, a name or \"(\", got the end"},
           Case{"gpus = 1", "column 6: expected an operator or the end, got \"=\""},
           Case{"gpus == 1)", "column 10: expected an operator or the end, got \")\""},
           Case{"(gpus == 1", "column 11: expected \")\""},
           Case{"gpus tensor", "column 6: expected an operator or the end, got \"t\""},
           Case{"gpus ** 2", "column 7: expected a number, a name or \"(\", got \"*\""},
           Case{"gpus == and", "column 9: expected a number, a name or \"(\", got and"},
           Case{"1 == not 0", "column 6: expected a number, a name or \"(\", got not"},
           Case{"gpus > 1.5", "column 9: expected integers only, got \".\""},
           Case{"gpus > 8x", "column 8: expected an integer in [0, 9223372036854775807], got 8x"},
           Case{"9223372036854775808 > 1",
                "column 1: expected an integer in [0, 9223372036854775807], got "
                "9223372036854775808"},
           Case{"tensr == 1", "column 1: unknown name \"tensr\"; did you mean \"tensor\"?"},
           Case{"gpus == \"a\"", "column 9: expected a number, a name or \"(\", got \"\"\""},
           Case{"andy == 1", "column 1: unknown name \"andy\""},
       }) {
    EXPECT_EQ(error_of(c.text), c.expected) << c.text;
  }
}

TEST(Constraint, BoundsWhatItReads) {
  const auto repeated = [](const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  EXPECT_TRUE(holds(repeated("(", 64) + "1" + repeated(")", 64)));
  EXPECT_EQ(error_of(repeated("(", 65) + "1" + repeated(")", 65)),
            "column 65: expected at most 64 levels of nesting");
  EXPECT_NE(error_of(repeated("not ", 65) + "1"), "");
  EXPECT_NE(error_of(repeated("-", 65) + "1"), "");
  EXPECT_TRUE(holds(repeated("1 + ", 1000) + "1 == 1001"));
  EXPECT_EQ(error_of(repeated(" ", 5000)), "column 4097: expected at most 4096 characters");
  EXPECT_EQ(error_of(repeated("0 < (", 40) + "1" + repeated(") < 2", 40)),
            "column 1: expected fewer comparisons inside comparisons");
}

}  // namespace
}  // namespace cubicbench::scenarios
