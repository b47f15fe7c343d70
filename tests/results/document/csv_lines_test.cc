#include "results/document/csv_lines.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "results/document/csv.h"

namespace cubicbench::results {
namespace {

TEST(CsvLines, AreThoseOfATable) {
  Table table{.columns = data_columns({"name", "count", "share", "known"})};
  table.rows = {{"a, \"b\"", std::int64_t{-3}, 0.1, std::optional<double>()},
                {"", std::size_t{7}, std::numeric_limits<double>::infinity(), 1e300}};
  const std::string text = text_of([](const FilePiece& write) {
    CsvLines lines("name,count,share,known\n", write);
    lines.add("a, \"b\"").add(std::int64_t{-3}).add(0.1).add(std::optional<double>()).end_line();
    lines.empty().add(std::size_t{7}).add(std::numeric_limits<double>::infinity()).add(1e300);
    lines.end_line();
    lines.end();
  });
  EXPECT_EQ(text, csv_of(table));
}

TEST(CsvLines, ComeInPieces) {
  std::vector<std::size_t> sizes;
  CsvLines lines("x\n", [&](std::string_view piece) { sizes.push_back(piece.size()); });
  for (int i = 0; i < 100'000; ++i) {
    lines.add(12345).end_line();
  }
  lines.end();
  EXPECT_GT(sizes.size(), 5U);
  for (const std::size_t size : sizes) EXPECT_LT(size, 100'000U);
}

}  // namespace
}  // namespace cubicbench::results
