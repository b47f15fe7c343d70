#include <gtest/gtest.h>

#include "datasets/mapping/expert_shape.h"

namespace cubicbench::datasets {
namespace {

TEST(MegatronFlags, AreReadFromNotes) {
  constexpr std::string_view notes =
      "CI golden values; flags: moe-grouped-gemm=True mtp-num-layers=1 "
      "moe-shared-expert-intermediate-size=2048; GPU count not found";
  EXPECT_EQ(flag_in(notes, "moe-grouped-gemm"), "True");
  EXPECT_EQ(flag_in(notes, "grouped-gemm"), "");  // not a name of its own
  EXPECT_EQ(flag_in(notes, "moe-grouped"), "");
  EXPECT_EQ(count_flag_in(notes, "mtp-num-layers"), 1);
  EXPECT_EQ(count_flag_in(notes, "moe-shared-expert-intermediate-size"), 2048);
  EXPECT_EQ(count_flag_in(notes, "moe-grouped-gemm"), std::nullopt);
  EXPECT_EQ(flag_in("", "swiglu"), "");
}

TEST(MegatronFlags, SayWhichLayersHaveExperts) {
  struct Case {
    std::string_view notes;
    std::int64_t first_dense, period;
  };
  for (const Case& c :
       {Case{"moe-layer-freq=([0]*3+[1]*11) swiglu=True", 3, 1},
        Case{"moe-layer-freq=([0]*1+[1]*1)", 1, 1}, Case{"moe-layer-freq=2", 0, 2}}) {
    const auto layers = expert_layers_in(c.notes);
    ASSERT_TRUE(layers) << c.notes;
    EXPECT_EQ(layers->first_dense, c.first_dense) << c.notes;
    EXPECT_EQ(layers->period, c.period) << c.notes;
  }
  for (const std::string_view notes : {"", "moe-layer-freq=0", "moe-layer-freq=([0,1]*12)"}) {
    EXPECT_FALSE(expert_layers_in(notes)) << notes;
  }
}

}  // namespace
}  // namespace cubicbench::datasets
