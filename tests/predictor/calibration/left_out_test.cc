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
  EXPECT_FALSE(refits().tells(LeftOutOf::source, "flagperf"));
  EXPECT_FALSE(refits().tells(LeftOutOf::source, "mine"));
  EXPECT_FALSE(refits().tells(LeftOutOf::model, "mine"));
  EXPECT_FALSE(refits().tells(LeftOutOf::model, ""));  // as of results without a model's name
  const Library library = without("flagperf");
  for (const auto& [name, stack] : library.stacks) EXPECT_TRUE(is_shipped(library, name)) << name;
}

// InternEvo's stack was fitted to its table alone.
TEST(LeftOut, AStackWithoutAnotherRunPlaysAsItsFamily) {
  const Library library = without("internevo");
  const datasets::StackCatalog& catalog = datasets::stack_catalog();
  std::string generic;
  for (const datasets::StackFamily& family : catalog.families) {
    if (family.name == "pytorch-eager") generic = family.stack;
  }
  EXPECT_EQ(library.stacks.at("internevo-2023"), library.stacks.at(generic));
  EXPECT_FALSE(is_shipped(library, "internevo-2023"));
  EXPECT_TRUE(is_shipped(library, "megatron-2021"));
}

// The dense runs of Megatron-Bridge told four devices what fp8 reaches, and nothing else did.
TEST(LeftOut, ADeviceWithoutAnotherRunHasDefaults) {
  const Library library = without("nvidia_megatron_bridge");
  EXPECT_EQ(library.devices.at("gb200").gemm_share_fp8, 1.0);
  EXPECT_EQ(library.devices.at("h100-sxm-80gb").gemm_share_fp8, 1.0);
  EXPECT_NE(datasets::library().devices.at("gb200").gemm_share_fp8, 1.0);
  EXPECT_EQ(library.devices.at("h100-sxm-80gb").gemm_efficiency,
            datasets::library().devices.at("h100-sxm-80gb").gemm_efficiency);
}

// Products of megatron-core-2025 were fitted to SimuMax's runs, its overlap to Megatron-Bridge's:
// these tell the products instead.
TEST(LeftOut, ConstantsAreFittedAgainToTheOtherRunsOfTheStack) {
  const Library library = without("other_frameworks");
  const sim::Stack& fitted = library.stacks.at("megatron-core-2025");
  const sim::Stack& shipped = datasets::library().stacks.at("megatron-core-2025");
  EXPECT_NE(fitted.gemm_factor, shipped.gemm_factor);
  EXPECT_GT(fitted.gemm_factor, 0.5 * shipped.gemm_factor);
  EXPECT_LT(fitted.gemm_factor, 2.0 * shipped.gemm_factor);
  EXPECT_EQ(fitted.overlap_cost, shipped.overlap_cost);
  EXPECT_EQ(library.stacks.at("megatron-core-unfused-2025").gemm_factor, fitted.gemm_factor);
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
