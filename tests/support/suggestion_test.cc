#include "support/suggestion.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::support {
namespace {

constexpr std::array<std::string_view, 7> names = {
    "tensor_parallel", "pipeline_parallel", "micro_batch", "dtype", "wrap",
    "h100-sxm-80gb",   "h200-sxm"};

TEST(EditDistance, CountsSingleEdits) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);  // k/s, e/i, +g
  EXPECT_EQ(edit_distance("dtpye", "dtype"), 1U);     // neighbours swapped
  EXPECT_EQ(edit_distance("ca", "abc"), 3U);          // no character is edited twice
}

TEST(Suggestion, FindsTheNearestName) {
  struct Case {
    const char* name;
    const char* expected;
  };
  for (const Case& c :
       {Case{"tensor_paralel", "tensor_parallel"}, Case{"tensor-parallel", "tensor_parallel"},
        Case{"TensorParallel", "tensor_parallel"}, Case{"Micro_Batch", "micro_batch"},
        Case{"dtpye", "dtype"}, Case{"h100", "h100-sxm-80gb"}, Case{"h200", "h200-sxm"},
        Case{"micro", "micro_batch"}, Case{"wrap", "wrap"}, Case{"zzz", ""}, Case{"t", ""},
        Case{"", ""}, Case{"offload", ""}}) {
    EXPECT_EQ(nearest(c.name, names), c.expected) << c.name;
  }
  EXPECT_EQ(nearest("abx", std::vector<std::string_view>{"abc", "abd"}), "abc");
  EXPECT_EQ(nearest("abc", std::vector<std::string_view>{}), "");
  // Several complete it: the shortest, and of equals the first.
  EXPECT_EQ(nearest("h100", std::vector<std::string_view>{"h100-hbm2e-96gb", "h100-sxm-80gb"}),
            "h100-sxm-80gb");
  EXPECT_EQ(nearest("nvlink4", std::vector<std::string_view>{"nvlink4-efa", "nvlink4-ndr"}),
            "nvlink4-efa");
}

TEST(Suggestion, AsksOnlyWhenANameIsClose) {
  EXPECT_EQ(did_you_mean("dtpe", names), "; did you mean \"dtype\"?");
  EXPECT_EQ(did_you_mean("unrelated", names), "");
  EXPECT_EQ(did_you_mean("ab", std::vector<std::string>{"abc"}), "; did you mean \"abc\"?");
}

TEST(Suggestion, TakesNoTimeForAnEndlessName) {
  EXPECT_EQ(nearest(std::string(10'000'000, 'x'), names), "");
}

TEST(Suggestion, WritesIntegersWithoutUnits) {
  EXPECT_EQ(as_integer("8k"), "; did you mean 8192, or 8000?");
  EXPECT_EQ(as_integer("1.5KiB"), "; did you mean 1536, or 1500?");
  EXPECT_EQ(as_integer("2G"), "; did you mean 2147483648, or 2000000000?");
  EXPECT_EQ(as_integer("4.0"), "; did you mean 4?");
  EXPECT_EQ(as_integer("1e3"), "; did you mean 1000?");
  for (const char* const other :
       {"", "8", "0", "-3", "2.5", "k", "8x", "8kg", "1e99", "nan", "8k8"}) {
    EXPECT_EQ(as_integer(other), "") << other;
  }
}

}  // namespace
}  // namespace cubicbench::support
