#include "results/document/cell.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/document/cell_text.h"
#include "results/document/csv.h"
#include "results/document/json.h"
#include "results/document/table.h"

namespace cubicbench::results {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(Cell, OfEveryKindIsWrittenForPeopleAndPrograms) {
  struct Case {
    Cell cell;
    const char* text;
    const char* json;
    const char* csv;
  };
  const std::vector<std::string> list{"a b", "c"};
  const ShareBar bar{.parts = {}, .words = "half"};
  for (const Case& c :
       {Case{Cell(), "-", "null", ""}, Case{Cell(true), "yes", "true", "1"},
        Case{Cell(false), "no", "false", "0"}, Case{Cell(-12345), "-12345", "-12345", "-12345"},
        Case{Cell(std::uint64_t{1} << 63U), "9223372036854775808", "9223372036854775808",
             "9223372036854775808"},
        Case{Cell(0.1), "0.1", "0.1", "0.1"}, Case{Cell(2.0), "2", "2.0", "2"},
        Case{Cell(infinite), "-", "null", ""},
        Case{Cell(std::numeric_limits<double>::quiet_NaN()), "-", "null", ""},
        Case{Cell("a,\"b\""), "a,\"b\"", R"("a,\"b\"")", R"("a,""b""")"},
        Case{Cell(list), "a b, c", R"(["a b","c"])", "a b c"},
        Case{Cell(bar), "half", R"("half")", "half"},
        Case{Cell(std::optional<double>()), "-", "null", ""},
        Case{Cell(std::optional(7)), "7", "7", "7"}, Case{Cell::or_null(""), "-", "null", ""},
        Case{Cell::or_null("x"), "x", R"("x")", "x"}}) {
    SCOPED_TRACE(c.json);
    EXPECT_EQ(cell_text(c.cell, Show::text, Spacing::compact), c.text);
    EXPECT_EQ(json_of(c.cell).dump(), c.json);
    const Table table{.columns = {{"k", "K"}, {"l", "L"}}, .rows = {{c.cell, "end"}}};
    EXPECT_EQ(csv_of(table), "k,l\n" + std::string(c.csv) + ",end\n");
  }
}

TEST(Cell, NumbersAreShownAsTheirColumnSays) {
  struct Case {
    Cell cell;
    Show show;
    const char* compact;
    const char* roomy;
  };
  for (const Case& c :
       {Case{1234567, Show::count, "1,234,567", "1,234,567"},
        Case{-1234, Show::count, "-1,234", "-1,234"},
        Case{std::uint64_t{12345}, Show::count, "12,345", "12,345"},
        Case{1234, Show::plain, "1234", "1234"}, Case{1.5, Show::plain, "1.5", "1.5"},
        Case{1.25, Show::fixed1, "1.2", "1.2"}, Case{1.256, Show::fixed2, "1.26", "1.26"},
        Case{2, Show::fixed3, "2.000", "2.000"}, Case{4.0681e6, Show::scaled, "4.068 M", "4.068 M"},
        Case{0.0412, Show::percent, "4.1%", "4.1 %"}, Case{0.412, Show::percent, "41%", "41.2 %"},
        Case{0.0994, Show::percent, "9.9%", "9.9 %"}, Case{0.0995, Show::percent, "10%", "10.0 %"},
        Case{-0.5, Show::signed_percent, "-50%", "-50.0 %"},
        Case{0.032, Show::signed_percent, "3.2%", "+3.2 %"},
        Case{0.0812, Show::duration, "81.20 ms", "81.20 ms"},
        Case{Cell(), Show::percent, "-", "\xE2\x80\x93"},
        Case{infinite, Show::count, "-", "\xE2\x80\x93"},
        Case{Cell::Absent(), Show::count, "", ""}}) {
    SCOPED_TRACE(c.roomy);
    EXPECT_EQ(cell_text(c.cell, c.show, Spacing::compact), c.compact);
    EXPECT_EQ(cell_text(c.cell, c.show, Spacing::roomy), c.roomy);
  }
}

TEST(Json, DotsLeadIntoObjectsAndAbsentCellsHaveNoKey) {
  const Table table{.columns = {{"name", "N"}, {"of.a", ""}, {"of.deep.b", ""}, {"last", ""}},
                    .rows = {{"x", 1, 2, Cell()}, {"y", Cell::Absent(), 4, Cell::Absent()}}};
  EXPECT_EQ(json_of(table).dump(), R"([{"name":"x","of":{"a":1,"deep":{"b":2}},"last":null},)"
                                   R"({"name":"y","of":{"deep":{"b":4}}}])");
  EXPECT_EQ(json_of(Table{.columns = table.columns}).dump(), "[]");
}

TEST(Csv, HasItsOwnKeysAndNothingForAbsentCells) {
  const Table table{.columns = {{"of.a", "A"},
                                {.key = "b", .heading = "B", .csv_key = "bee"},
                                {.key = "c", .heading = "C", .in_csv = false}},
                    .rows = {{1, Cell::Absent(), 3}}};
  EXPECT_EQ(csv_of(table), "of_a,bee\n1,\n");
}

}  // namespace
}  // namespace cubicbench::results
