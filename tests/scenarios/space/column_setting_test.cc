#include "scenarios/space/column_setting.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/space/listed_space.h"
#include "scenarios/space/setting_words.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

TEST(ColumnSetting, NumbersAreWrittenAsTheyAreRead) {
  const auto rate = column_setting("rate", std::vector<double>{-0.25, 1e-5, 0.6, 8, 100'000, 1e20});
  EXPECT_TRUE(is_column(*rate));
  EXPECT_EQ(rate->name, "rate");
  const std::vector<std::string> texts{"-0.25", "1e-05", "0.6", "8", "100000", "1e+20"};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto code = static_cast<std::int64_t>(i);
    EXPECT_EQ(format_setting(*rate, code), texts[i]);
    EXPECT_EQ(json_of(*rate, code).dump(), texts[i]);
    EXPECT_EQ(parse_setting(*rate, texts[i]), code);
    EXPECT_EQ(code_of(*rate, Json::parse(texts[i])), code);
  }
  EXPECT_EQ(code_of(*rate, Json::parse("8.0")), 3);
  EXPECT_EQ(code_of(*rate, Json::parse("9")), std::nullopt);
  EXPECT_EQ(code_of(*rate, Json::parse(R"("8")")), std::nullopt);
  EXPECT_EQ(parse_setting(*rate, "nan"), std::nullopt);
  EXPECT_EQ(expected(*rate), "one of 6 numbers in [-0.25, 1e+20]");
}

TEST(ColumnSetting, NamesAreAChoice) {
  const auto window = column_setting("WINDOW", std::vector<std::string>{"8", "LL", "every_2"});
  EXPECT_EQ(json_of(*window, 0), "8");
  EXPECT_EQ(code_of(*window, "LL"), 1);
  EXPECT_EQ(code_of(*window, Json::parse("8")), std::nullopt);
  EXPECT_EQ(parse_setting(*window, "every_2"), 2);
  EXPECT_EQ(parse_setting(*window, "every_3"), std::nullopt);
  EXPECT_EQ(expected(*window), "one of 8, LL, every_2");
  EXPECT_EQ(meaning_of(*window), "Column of the table");
}

/// Two columns, one of which has the name of a setting.
BuiltSpace two_columns() {
  const auto batch = column_setting("micro_batch", std::vector<double>{0.5, 1.5, 2.5});
  const auto kind = column_setting("kind", std::vector<std::string>{"a", "b"});
  return listed_space({{.name = "micro_batch",
                        .type = ParameterType::ordinal,
                        .values = {0, 1, 2},
                        .when = {},
                        .column = batch},
                       {.name = "kind",
                        .type = ParameterType::categorical,
                        .values = {0, 1},
                        .when = {},
                        .column = kind}},
                      {{0, 0}, {2, 1}}, {}, {});
}

TEST(ColumnSetting, ASpaceOfColumnsKeepsThemAndNoPlanGivesIt) {
  BuiltSpace built = two_columns();
  ASSERT_TRUE(built.problems.empty());
  const SearchSpace space = built.space;
  built = {};
  ASSERT_EQ(space.count(), 2U);
  const Setting* const batch = find_setting(space, "micro_batch");
  ASSERT_NE(batch, nullptr);
  EXPECT_NE(batch, find_setting("micro_batch"));
  EXPECT_EQ(find_setting(space, "sharding"), find_setting("sharding"));
  const std::vector<Assignment> given{{batch, 2}, {find_setting(space, "kind"), 1}};
  EXPECT_EQ(space.from_assignment(given).configuration, (Configuration{2, 1}));
  EXPECT_FALSE(space.from_plan(sim::Plan{}).in_space());
  sim::Plan plan;
  space.apply(Configuration{2, 1}, plan);
  EXPECT_EQ(plan, sim::Plan{});
}

TEST(ColumnSetting, SpecsOfASpaceBuildItAnew) {
  const BuiltSpace built = two_columns();
  const BuiltSpace again =
      listed_space(parameter_specs(built.space.rules()), {{0, 0}, {2, 1}}, {}, {});
  ASSERT_TRUE(again.problems.empty());
  EXPECT_EQ(again.space.parameters(), built.space.parameters());
}

TEST(ColumnSetting, AListOfThousandsOfValuesStaysSmall) {
  constexpr std::int64_t rows = 3'000;
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < rows; ++i) numbers.push_back(static_cast<double>(i));
  std::vector<ParameterSpec> specs;
  for (const char* name : {"a", "b", "c", "d"}) {
    ParameterSpec spec{.name = name, .type = ParameterType::ordinal, .values = {}, .when = {}};
    for (std::int64_t i = 0; i < rows; ++i) spec.values.push_back(i);
    spec.column = column_setting(name, numbers);
    specs.push_back(spec);
  }
  std::vector<Configuration> list;
  for (std::int64_t i = 0; i < rows; ++i) {
    list.push_back({i, (7 * i) % rows, (11 * i) % rows, (13 * i) % rows});
  }
  const BuiltSpace built = listed_space(specs, list, {}, {});
  ASSERT_TRUE(built.problems.empty());
  std::size_t edges = 0;
  for (const SpaceDiagram::Layer& layer : built.space.diagram().layers) edges += layer.edges.size();
  EXPECT_LE(edges, 4U * rows);
  EXPECT_EQ(built.space.number_of(list[1'234]), 1'234U);
  EXPECT_FALSE(built.space.satisfies(Configuration{1, 7, 11, 14}));
  Configuration drawn(4);
  built.space.configuration_at(2'999, drawn);
  EXPECT_EQ(drawn, list.back());
}

}  // namespace
}  // namespace cubicbench::scenarios
