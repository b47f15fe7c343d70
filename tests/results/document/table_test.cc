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

TEST(AddRow, LeavesWhatItDoesNotNameEmpty) {
  Table table{.columns = data_columns({"a", "b", "c"})};
  add_row(table, {{"c", 3}, {"a", "x"}});
  add_row(table, {});
  EXPECT_EQ(csv_of(table), "a,b,c\nx,,3\n,,\n");
}

TEST(DropUnknown, LeavesColumnsOfWhichSomethingIsKnown) {
  Table table{.columns = data_columns({"a", "b", "c"}), .rows = {{Cell(), 1, Cell()}}};
  drop_unknown(table, {"a", "b"});
  EXPECT_EQ(csv_of(table), "b,c\n1,\n");
}

TEST(BestRows, AreThoseThatLookBest) {
  Table table{.columns = {with_best({"up", "up", Show::fixed1}, Best::greatest),
                          with_best({"down", "down", Show::fixed1}, Best::least),
                          {"none", "none", Show::fixed1}},
              .rows = {{1.02, 3, 1.0}, {1.04, 2, 2.0}, {0.5, 2, 3.0}, {Cell(), Cell(), 4.0}}};
  EXPECT_EQ(best_rows(table, 0), (std::vector<std::size_t>{0, 1}));  // both are read as 1.0
  EXPECT_EQ(best_rows(table, 1), (std::vector<std::size_t>{1, 2}));
  EXPECT_TRUE(best_rows(table, 2).empty());
  table.apart = {1};
  EXPECT_EQ(best_rows(table, 0), (std::vector<std::size_t>{0}));
  EXPECT_EQ(best_rows(chosen(table, {"down", "up"}), 1), (std::vector<std::size_t>{0}));
  set_best(table, {"up"}, Best::least);
  EXPECT_EQ(best_rows(table, 0), (std::vector<std::size_t>{2}));
}

TEST(BestRows, NeedRivals) {
  const std::vector<Column> columns{with_best({"a", "a", Show::fixed1}, Best::greatest)};
  EXPECT_TRUE(best_rows({.columns = columns, .rows = {{1.0}, {Cell()}}}, 0).empty());
  EXPECT_TRUE(best_rows({.columns = columns, .rows = {{1.01}, {1.02}}}, 0).empty());
  EXPECT_TRUE(best_rows({.columns = columns, .rows = {{"text"}, {"more"}}}, 0).empty());
}

TEST(BestRows, CompareRecordsByTheirNumber) {
  const auto words = [](const char* text, double number) {
    return Cell(Record{.members = {}, .words = text, .number = number});
  };
  const Table table{.columns = {with_best({"a", "a", Show::figure}, Best::least)},
                    .rows = {{words("2 (1 to 3)", 2.0)}, {words("1 (0 to 9)", 1.0)}}};
  EXPECT_EQ(best_rows(table, 0), (std::vector<std::size_t>{1}));
}

}  // namespace
}  // namespace cubicbench::results
