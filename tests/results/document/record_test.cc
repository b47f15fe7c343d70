#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "results/document/cell_text.h"
#include "results/document/csv.h"
#include "results/document/json.h"

namespace cubicbench::results {
namespace {

TEST(Record, IsAnObjectForProgramsAndWordsForPeople) {
  const Cell cell =
      Record{.members = {{"mean", 0.5}, {"of", Record{.members = {{"none", Cell()}}, .words = {}}}},
             .words = "a half"};
  EXPECT_EQ(json_of(cell).dump(), R"({"mean":0.5,"of":{"none":null}})");
  EXPECT_EQ(cell_text(cell, Show::figure, Spacing::compact), "a half");
  EXPECT_EQ(json_of(Cell(Record{})).dump(), "{}");
  EXPECT_EQ(cell, Cell(cell));
  EXPECT_FALSE(cell == Cell(Record{}));
}

TEST(Column, MayBeForPeopleAlone) {
  const Table table{
      .columns = {{"a", "A"}, {.key = "b", .heading = "B", .in_csv = false, .in_json = false}},
      .rows = {{1, 2}}};
  EXPECT_EQ(json_of(table).dump(), R"([{"a":1}])");
  EXPECT_EQ(csv_of(table), "a\n1\n");
}

}  // namespace
}  // namespace cubicbench::results
