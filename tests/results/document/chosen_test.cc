#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "results/document/table.h"
#include "tests/results/printed_cell.h"

namespace cubicbench::results {
namespace {

const Table table{
    .columns = {{"a", "A", Show::text, "", "what it is"}, {"b", ""}, {"c", "C", Show::count}},
    .rows = {{1, 2, 3}, {4, 5, 6}},
    .shown = 1};

std::vector<std::string> keys_of(const Table& of) {
  std::vector<std::string> keys;
  for (const Column& column : of.columns) keys.push_back(column.key);
  return keys;
}

TEST(Chosen, HasTheColumnsInTheOrderAskedFor) {
  const Table some = chosen(table, {"c", "a"});
  EXPECT_EQ(keys_of(some), (std::vector<std::string>{"c", "a"}));
  EXPECT_EQ(some.columns[0].show, Show::count);
  EXPECT_EQ(some.rows, (std::vector<std::vector<Cell>>{{3, 1}, {6, 4}}));
  EXPECT_EQ(some.shown, 1U);
}

TEST(HelpText, IsOfColumnsThatPeopleSeeAndThatHaveHelp) {
  EXPECT_EQ(help_text(table), "A: what it is.");
  Table more = table;
  more.columns[1].help = "for programs";
  more.columns[2].help = "how many";
  EXPECT_EQ(help_text(more), "A: what it is; C: how many.");
  EXPECT_EQ(help_text(chosen(table, {"b"})), "");
}

TEST(TableOf, TakesItemsAndPointersToThem) {
  struct Item {
    int n = 0;
  };
  static constexpr auto number = [](const Item& item) { return Cell(item.n); };
  const Field<Item> fields[] = {{{"n", "N"}, number}};
  const std::vector<Item> items{{3}, {4}};
  const std::vector<const Item*> pointers{&items[1]};
  EXPECT_EQ(table_of<Item>(items, fields).rows, (std::vector<std::vector<Cell>>{{3}, {4}}));
  EXPECT_EQ(table_of<Item>(pointers, fields).rows, (std::vector<std::vector<Cell>>{{4}}));
}

}  // namespace
}  // namespace cubicbench::results
