#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "results/document/csv.h"
#include "results/document/json.h"
#include "results/document/table.h"

namespace cubicbench::results {
namespace {

struct Errors {
  std::int64_t n = 0;
  std::optional<double> median;
};

struct Item {
  std::string name;
  Errors errors;
};

const Field<Item> fields[] = {
    {{"name", "name"}, of_member<&Item::name>},
    {{.key = "rows", .heading = "rows", .in_csv = false}, of_member<&Item::errors, &Errors::n>},
    {{.key = "shown", .heading = "shown", .in_json = false}, of_member<&Item::name>},
    {{"errors.median", ""}, of_member<&Item::errors, &Errors::median>}};

TEST(Field, ReadsMembersAndMembersOfMembers) {
  const Item item{.name = "a", .errors = {.n = 3, .median = 0.5}};
  EXPECT_EQ(cells_of<Item>(item, fields), (std::vector<Cell>{"a", std::int64_t{3}, "a", 0.5}));
}

TEST(Field, MayBeForJsonOrCsvAlone) {
  const std::vector<Item> items{{.name = "a", .errors = {.n = 3, .median = {}}}};
  const Table table = table_of<Item>(items, fields);
  EXPECT_EQ(json_of(table).dump(), R"([{"name":"a","rows":3,"errors":{"median":null}}])");
  EXPECT_EQ(csv_of(table), "name,shown,errors_median\na,a,\n");
}

}  // namespace
}  // namespace cubicbench::results
