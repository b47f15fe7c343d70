#include "predictor/calibration/left_out.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "datasets/catalog/measured_table.h"
#include "datasets/mapping/library.h"
#include "datasets/mapping/stack_defaults.h"

namespace cubicbench::predictor {
namespace {

using datasets::Library;

const Refits& refits() {
  static const Refits read;
  return read;
}

Library without(const std::string& source) {
  return refits().library_without(LeftOutOf::source, source, 1);
}

bool is_shipped(const Library& library, const std::string& stack) {
  return library.stacks.at(stack) == datasets::library().stacks.at(stack);
}

TEST(LeftOut, NamesAreThoseOfTheOption) {
  ASSERT_EQ(left_out_names().size(), 2U);
  EXPECT_EQ(left_out_names()[static_cast<std::size_t>(LeftOutOf::source)], "source");
  EXPECT_EQ(left_out_names()[static_cast<std::size_t>(LeftOutOf::model)], "model");
}

TEST(LeftOut, OnlyRowsThatAPlanIsFittedToTellAnything) {
  EXPECT_TRUE(refits().tells(LeftOutOf::source, "internevo"));
  EXPECT_TRUE(refits().tells(LeftOutOf::source, "flagperf"));  // the laws
  EXPECT_FALSE(refits().tells(LeftOutOf::source, "maxtext_tpu_gpu"));
  EXPECT_FALSE(refits().tells(LeftOutOf::source, "mine"));
  EXPECT_FALSE(refits().tells(LeftOutOf::model, "mine"));
  EXPECT_FALSE(refits().tells(LeftOutOf::model, ""));  // as of results without a model's name
  const Library library = without("maxtext_tpu_gpu");
  for (const auto& [name, stack] : library.stacks) EXPECT_TRUE(is_shipped(library, name)) << name;
}

// What InternEvo's stack has of its own was fitted to its table alone.
TEST(LeftOut, AStackWithoutAnotherRunPlaysAsItsFamily) {
  const Library library = without("internevo");
  const datasets::StackCatalog& catalog = datasets::stack_catalog();
  std::string generic;
  for (const datasets::StackFamily& family : catalog.families) {
    if (family.name == "pytorch-eager") generic = family.stack;
  }
  EXPECT_EQ(library.stacks.at("internevo-2023"), library.stacks.at(generic));
  EXPECT_TRUE(is_shipped(library, "nanotron-2024"));
}

// The laws are fitted again, for all that stands on them, and not in place of switches and of
// numbers that a stack has of its own.
TEST(LeftOut, TheLawsAreFittedWithoutTheTable) {
  const Library library = without("internevo");
  const sim::Stack& shipped = datasets::library().stacks.at("laws");
  const sim::Stack& laws = library.stacks.at("laws");
  EXPECT_NE(laws.launch, shipped.launch);
  EXPECT_NEAR(laws.launch / shipped.launch, 1.0, 0.2);
  EXPECT_EQ(library.stacks.at("megatron-2021").launch, laws.launch);
  EXPECT_EQ(library.stacks.at("se-moe-2022").host_smoothness, 1.0);
  EXPECT_EQ(library.stacks.at("torchtitan-2025-06").overlap_cost,
            datasets::library().stacks.at("torchtitan-2025-06").overlap_cost);
  EXPECT_NE(library.devices.at("a100-sxm-80gb").training_efficiency,
            datasets::library().devices.at("a100-sxm-80gb").training_efficiency);
}

// All that tells launches of experts are runs of Megatron-Bridge.
TEST(LeftOut, ConstantsWithoutAnotherRunAreThoseOfTheGenericStack) {
  const Library library = without("nvidia_megatron_bridge");
  EXPECT_FALSE(is_shipped(library, "megatron-hybridep-2026"));
  EXPECT_NE(library.devices.at("gb200").training_share_fp8,
            datasets::library().devices.at("gb200").training_share_fp8);
  EXPECT_EQ(library.devices.at("h100-sxm-80gb").gemm_efficiency,
            datasets::library().devices.at("h100-sxm-80gb").gemm_efficiency);
}

TEST(LeftOut, ModelsAreLeftOutOneByOne) {
  const auto tables = datasets::find_measured_tables("ibm_fms_fsdp", "the test's table");
  const auto by_model = validate_left_out(tables, {}, LeftOutOf::model, false, 1);
  const auto by_source = validate_left_out(tables, {}, LeftOutOf::source, false, 1);
  const auto as_fitted = datasets::validate_tables(tables, {}, 1);
  ASSERT_EQ(by_model.rows.size(), as_fitted.rows.size());
  ASSERT_EQ(by_source.rows.size(), as_fitted.rows.size());
  bool differs = false;
  for (std::size_t i = 0; i < by_model.rows.size(); ++i) {
    EXPECT_EQ(by_model.rows[i].id, as_fitted.rows[i].id);
    differs = differs || by_model.rows[i].rel_error != by_source.rows[i].rel_error;
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace cubicbench::predictor
