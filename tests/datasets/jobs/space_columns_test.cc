#include "datasets/jobs/space_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "tests/counting_new.h"

namespace cubicbench::datasets {
namespace {

using scenarios::ParameterSpec;
using scenarios::ParameterType;
using scenarios::SearchSpace;

SearchSpace space_of(const std::vector<ParameterSpec>& parameters) {
  scenarios::BuiltSpace built = SearchSpace::build(parameters, {}, {}, {});
  EXPECT_TRUE(built.problems.empty());
  return std::move(built.space);
}

const SearchSpace& mixed() {
  static const SearchSpace space =
      space_of({{"tensor_parallel", ParameterType::ordinal, {1, 2, 4}, {}},
                {"pipeline_parallel", ParameterType::ordinal, {3, 5, 11}, {}},
                {"micro_batch", ParameterType::categorical, {1, 8}, {}},
                {"virtual_stages", ParameterType::integer, {2, 8}, {{"pipeline_parallel", {5}}}},
                {"sharding", ParameterType::categorical, {1, 4}, {{"tensor_parallel", {1}}}},
                {"compile", ParameterType::boolean, {0, 1}, {}}});
  return space;
}

TEST(SpaceColumns, NumbersStayNumbersAndTheRestAreCategories) {
  const SpaceColumns columns(mixed());
  EXPECT_EQ(columns.columns(),
            (std::vector<Column>{
                {.name = "tensor_parallel"},
                {.name = "pipeline_parallel"},
                {.name = "micro_batch", .kind = ColumnKind::category, .levels = {"1", "8"}},
                {.name = "virtual_stages"},
                {.name = "sharding",
                 .kind = ColumnKind::category,
                 .levels = {"zero1", "full_shard", "inactive"}},
                {.name = "compile", .kind = ColumnKind::category, .levels = {"false", "true"}}}));
}

TEST(SpaceColumns, WritesWhatTheCellsMean) {
  const SpaceColumns columns(mixed());
  std::vector<double> cells(6);
  // 1, 2, 4 spans four times: log2. 3, 5, 11 does not: itself. 2, 8 does.
  columns.write(std::vector<std::int64_t>{2, 1, 1, 1, -1, 0}, cells);
  EXPECT_EQ(cells, (std::vector<double>{2.0, 5.0, 1.0, 3.0, 2.0, 0.0}));
  columns.write(std::vector<std::int64_t>{0, 2, 0, -1, 1, 1}, cells);
  EXPECT_EQ(cells[0], 0.0);
  EXPECT_EQ(cells[1], 11.0);
  EXPECT_TRUE(std::isnan(cells[3]));
  EXPECT_EQ(cells[4], 1.0);
  EXPECT_EQ(cells[5], 1.0);
}

TEST(SpaceColumns, DecimalsAreTheNumbersThatTheyStandFor) {
  const scenarios::SpaceFacts facts{.kind = scenarios::WorkloadKind::recommendation};
  const scenarios::BuiltSpace built = SearchSpace::build(
      {{"embedding_cache_ratio", ParameterType::ordinal, {0, 125, 500}, {}}}, {}, {}, facts);
  ASSERT_TRUE(built.problems.empty());
  std::vector<double> cells(1);
  SpaceColumns(built.space).write(std::vector<std::int64_t>{1}, cells);
  EXPECT_EQ(cells[0], 0.125);
}

TEST(SpaceColumns, DifferentConfigurationsHaveDifferentCells) {
  const SearchSpace space = scenarios::read_scenario("tiny-gpt").space;
  const SpaceColumns columns(space);
  std::vector<std::string> seen;
  std::vector<double> cells(space.size());
  scenarios::Configuration configuration(space.size());
  for (std::uint64_t number = 0; number < space.count(); ++number) {
    space.configuration_at(number, configuration);
    columns.write(configuration, cells);
    std::string text;
    for (const double cell : cells) text += std::to_string(cell) + " ";
    seen.push_back(text);
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(SpaceColumns, WritingAllocatesNothing) {
  const SpaceColumns columns(mixed());
  const std::vector<std::int64_t> configuration{0, 1, 0, 1, 0, 0};
  std::vector<double> cells(6);
  const long before = allocation_count();
  for (int i = 0; i < 1000; ++i) columns.write(configuration, cells);
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace cubicbench::datasets
