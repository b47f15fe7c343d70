#include "scenarios/requirement.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

const Json& document() {
  static const Json parsed = Json::parse(R"json({
    "schema": "cubicbench.validate/1",
    "n": 7,
    "good": true,
    "rows": [{"rel_error": 0.25}, {"rel_error": -0.5}],
    "summary": {"n": 4000, "coverage": 0.91, "bias": null, "oom": {"tp": 30, "fp": 10},
                "by_size": {"<1MiB": 0.4}},
    "sources": {"vtrain": {"p90_abs_rel_error": 0.15},
                "early.pp": {"bias": -0.02}, "early": {"pp": {"bias": 9, "n": 3}},
                "llama3-8b v0.1": {"n": 12}}
  })json");
  return parsed;
}

bool holds(const char* text) { return Requirement::parse(text).holds(document()); }

std::string error_of(std::string_view text) {
  try {
    Requirement::parse(text);
  } catch (const ConstraintError& error) {
    return error.what();
  }
  return "no problem";
}

TEST(Requirement, FindsNumbersByNameAndByPath) {
  struct Case {
    const char* text;
    bool expected;
  };
  for (const Case& c : {
           Case{R"("sources.vtrain.p90_abs_rel_error" <= 0.15)", true},
           Case{R"("sources.vtrain.p90_abs_rel_error" < 0.15)", false},
           Case{"coverage >= 0.9", true},  // of the summary
           Case{"n == 7", true},           // the document comes before its summary
           Case{R"("summary.n" == 4000)", true}, Case{R"("oom.tp" == 30)", true},
           Case{R"("coverage" == 0.91)", true}, Case{"good", true}, Case{"good == 1", true},
           Case{R"("rows.1.rel_error" == -0.5)", true}, Case{R"("rows.2.rel_error" == 0)", false},
           Case{R"("summary.by_size.<1MiB" <= 0.4)", true},
           Case{R"("sources.llama3-8b v0.1.n" == 12)", true},
           Case{R"("sources.early.pp.bias" == -0.02)", true},  // the longest key counts
           Case{R"("sources.early.pp.n" == 3)", true},         // unless it leads nowhere
       }) {
    EXPECT_EQ(holds(c.text), c.expected) << c.text;
  }
}

TEST(Requirement, CountsAsPythonDoes) {
  struct Case {
    const char* text;
    bool expected;
  };
  for (const Case& c : {
           Case{"1 + 2 * 3 == 7", true},
           Case{"7 / 2 == 3.5", true},
           Case{R"("oom.tp" / ("oom.tp" + "oom.fp") == 0.75)", true},
           Case{"-7 % 3 == 2", true},  // the divisor's sign
           Case{"7 % -3 == -2", true},
           Case{"6 % 3 == 0", true},
           Case{"5.5 % 2 == 1.5", true},
           Case{"1e-3 == .001", true},
           Case{"0.8 <= coverage <= 1", true},
           Case{"0.8 <= coverage <= 0.9", false},
           Case{"1 < 2 > 1.5", true},
           Case{"1 or 0 and 0", true},  // and binds tighter
           Case{"not coverage > 0.95", true},
           Case{"not coverage > 0.95 and n == 8", false},
           Case{"(5 and 7) == 1", true},
       }) {
    EXPECT_EQ(holds(c.text), c.expected) << c.text;
  }
}

TEST(Requirement, WhatIsNoNumberMakesItFalse) {
  for (const char* text :
       {"bias < 1", "not bias < 1", "bias < 1 or 1", "bias == bias", "nothing == 0", "not nothing",
        R"("sources.nobody.n" >= 0)", R"("sources.vtrain" == 0)", "schema != 0", "not schema",
        R"("coverage." > 0)", R"("coverage.n" > 0)", R"("rows.-1" > 0)", R"("rows.0x" > 0)",
        "1 / 0 > 0", "not 1 / 0", "1 % 0 == 0", "1e308 * 10 > 0"}) {
    EXPECT_FALSE(holds(text)) << text;
  }
  EXPECT_TRUE(holds("1 or bias < 1"));
  EXPECT_FALSE(holds("0 and bias < 1"));
  EXPECT_TRUE(holds("not (0 and bias < 1)"));
}

TEST(Requirement, TellsWhatItsPathsLeadTo) {
  const auto values = [](const char* text) {
    return Requirement::parse(text).values_text(document());
  };
  EXPECT_EQ(values(R"(coverage > 0.95 and "sources.vtrain.p90_abs_rel_error" < 0.1 < coverage)"),
            R"(coverage is 0.91; "sources.vtrain.p90_abs_rel_error" is 0.15)");
  EXPECT_EQ(values(R"(bias < "sources.x" + rows + n + good)"),
            R"(bias is null; "sources.x" is not there; rows is no number; n is 7; good is true)");
  EXPECT_EQ(values("1 > 2"), "");
}

TEST(Requirement, NamesTheColumnOfAnError) {
  const std::string operand = "expected a number, a name, a path in quotes or \"(\"";
  struct Case {
    const char* text;
    std::string expected;
  };
  for (const Case& c : {
           Case{"", "column 1: " + operand + ", got the end"},
           Case{"coverage >=", "column 12: " + operand + ", got the end"},
           Case{"coverage => 1", "column 10: expected an operator or the end, got \"=\""},
           Case{"a b", "column 3: expected an operator or the end, got \"b\""},
           Case{"a < 'b'", "column 5: " + operand + ", got \"'\""},
           Case{"a < and", "column 5: " + operand + ", got and"},
           Case{"a < 0.1.2", "column 5: expected a decimal number, got 0.1.2"},
           Case{"a < 5%% 1", "column 7: " + operand + ", got \"%\""},
           Case{"a < 10x", "column 5: expected a decimal number, got 10x"},
           Case{"a < 1e999", "column 5: expected a decimal number, got 1e999"},
           Case{"a < .", "column 5: expected a decimal number, got ."},
           Case{R"("sources.a < 1)", "column 1: expected a closing quote, got the end"},
           Case{R"(1 < "")", "column 5: expected a path in the quotes"},
           Case{"(a < 1", "column 7: expected \")\""},
       }) {
    EXPECT_EQ(error_of(c.text), c.expected) << c.text;
  }
  EXPECT_EQ(error_of("coverage >= 0.9"), "no problem");
}

}  // namespace
}  // namespace cubicbench::scenarios
