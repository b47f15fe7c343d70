#include "support/csv.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/input_error.h"

namespace cubicbench::support {
namespace {

std::vector<std::string> texts(const CsvRecord& record) {
  std::vector<std::string> all;
  for (const CsvCell& cell : record.cells) all.push_back(cell.text);
  return all;
}

std::string refusal_of(const std::string& text) {
  try {
    read_csv(text, "t.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no problem";
}

using Texts = std::vector<std::string>;

TEST(Csv, ReadsPlainAndQuotedCells) {
  struct Case {
    const char* name;
    std::string text;
    Texts cells;
  };
  for (const Case& c :
       {Case{"plain", "a,b\n1,2\n", {"1", "2"}},
        Case{"no line feed at the end", "a,b\n1,2", {"1", "2"}},
        Case{"carriage returns", "a,b\r\n1,2\r\n", {"1", "2"}},
        Case{"empty cells", "a,b\n,\n", {"", ""}},
        Case{"spaces are text", "a,b\n 1 , 2\n", {" 1 ", " 2"}},
        Case{"comma in quotes", "a,b\n\"1,5\",2\n", {"1,5", "2"}},
        Case{"quotes in quotes", "a,b\n\"say \"\"x\"\"\",\"\"\"\"\n", {"say \"x\"", "\""}},
        Case{"line breaks in quotes", "a,b\n\"1\r\n2\",3\n", {"1\r\n2", "3"}},
        Case{"empty quotes", "a,b\n\"\",2\n", {"", "2"}},
        Case{"byte order mark",
             "\xEF\xBB\xBF"
             "a,b\n1,2\n",
             {"1", "2"}},
        Case{"empty lines", "\na,b\n\r\n1,2\n\n\n", {"1", "2"}},
        Case{"not only ASCII",
             "a,b\n\xC3\xA9,\xF0\x9F\x98\x80\n",
             {"\xC3\xA9", "\xF0\x9F\x98\x80"}}}) {
    SCOPED_TRACE(c.name);
    const CsvTable table = read_csv(c.text, "t.csv");
    EXPECT_EQ(texts(table.header), (Texts{"a", "b"}));
    ASSERT_EQ(table.records.size(), 1U);
    EXPECT_EQ(texts(table.records.front()), c.cells);
  }
}

TEST(Csv, KnowsWhereCellsStandAndHowTheyWereWritten) {
  const std::string text = "a,\"b\",c\n1,\"x\ny\",3\r\n4,5,6";
  const CsvTable table = read_csv(text, "t.csv");
  EXPECT_EQ(table.header.text, "a,\"b\",c");
  EXPECT_EQ(table.column("b"), 1U);
  EXPECT_EQ(table.column("d"), std::nullopt);
  ASSERT_EQ(table.records.size(), 2U);
  EXPECT_EQ(table.records[0].text, "1,\"x\ny\",3");
  EXPECT_EQ(table.records[1].text, "4,5,6");
  EXPECT_EQ(where_of("t.csv", table.header.cells[2]), "t.csv:1:7");
  EXPECT_EQ(where_of("t.csv", table.records[0].cells[1]), "t.csv:2:3");
  // The third cell starts on the next line, after `y",`.
  EXPECT_EQ(where_of("t.csv", table.records[0].cells[2]), "t.csv:3:4");
  EXPECT_EQ(table.records[1].line, 4U);
}

TEST(Csv, RefusesWhatCannotBeRead) {
  struct Case {
    const char* name;
    std::string text;
    std::string message;
  };
  const auto utf8 = [](const std::string& byte) {
    return "t.csv:2:2: expected UTF-8 text, got the byte " + byte;
  };
  for (const Case& c :
       {Case{"nothing", "",
             "t.csv:1:1: expected a header with the names of the columns, got nothing"},
        Case{"only empty lines", "\n\r\n",
             "t.csv:1:1: expected a header with the names of the columns, got nothing"},
        Case{"open quote", "a,b\n1,\"2\n3,4\n",
             "t.csv:2:3: expected a closing quote, got the end of the file"},
        Case{"text after quotes", "a,b\n\"1\"x,2\n",
             "t.csv:2:4: expected a comma or the end of the line after a closing quote"},
        Case{"quote in plain text", "a,b\n1\"x\",2\n",
             "t.csv:2:2: expected quotes around a cell that holds one, got plain text"},
        Case{"carriage return alone", "a,b\r1,2\r",
             "t.csv:1:4: expected a line feed after the carriage return"},
        Case{"a quote that the next one closes", "a,b\n\"1,2\n3,4\n5,\"6\"\n",
             "t.csv:4:4: expected a comma or the end of the line after a closing quote, which was "
             "opened in line 2, column 1"},
        Case{"UTF-16, little end first",
             std::string("\xFF\xFE"
                         "a\0,\0",
                         6),
             "t.csv:1:1: expected UTF-8 text, got the byte order mark of UTF-16"},
        Case{"UTF-16, big end first", std::string("\xFE\xFF\0a\0,", 6),
             "t.csv:1:1: expected UTF-8 text, got the byte order mark of UTF-16"},
        Case{"UTF-16 without a mark", std::string("a\0,\0", 4),
             "t.csv:1:2: expected UTF-8 text, got a zero byte, as in UTF-16"},
        Case{"a zero byte in quotes", std::string("a,b\n\"1\0\",2\n", 11),
             "t.csv:2:3: expected UTF-8 text, got a zero byte, as in UTF-16"},
        Case{"records of another length", "a,b\n1\n1,2\n1,2,3\n",
             "t.csv:2:1: expected 2 cells as in the header, got 1\n"
             "t.csv:4:1: expected 2 cells as in the header, got 3"},
        Case{"two columns of one name", "a,b,a,,\n1,2,3,4,5\n",
             "t.csv:1:5: expected a column name of its own, got \"a\" again"},
        Case{"Latin-1", "a,b\n1\xE9,2\n", utf8("0xe9")},
        Case{"stray continuation", "a\n1\x80\n", utf8("0x80")},
        Case{"overlong", "a\n1\xC0\xAF\n", utf8("0xc0")},
        Case{"overlong in three", "a\n1\xE0\x80\xAF\n", utf8("0xe0")},
        Case{"surrogate", "a\n1\xED\xA0\x80\n", utf8("0xed")},
        Case{"beyond the last character", "a\n1\xF4\x90\x80\x80\n", utf8("0xf4")},
        Case{"cut off", "a\n1\xE2\x82", utf8("0xe2")}}) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(refusal_of(c.text), c.message);
  }
}

TEST(Csv, RefusesWhatIsTooLong) {
  const std::string long_text(10'000'000, 'x');
  const std::string commas(10'000'000, ',');
  const std::string wide(csv_columns_max, ',');  // one cell more than commas
  const std::string too_long = "expected a line of at most 1048576 bytes, got more";
  struct Case {
    const char* name;
    std::string text;
    std::string message;
  };
  for (const Case& c :
       {Case{"a cell", "a,b\n1,2\n3," + long_text + "\n", "t.csv:3:3: " + too_long},
        Case{"a header", long_text, "t.csv:1:1: " + too_long},
        Case{"commas", "a,b\n" + commas, "t.csv:2:1048577: " + too_long},
        Case{"commas in the header", commas, "t.csv:1:1048577: " + too_long},
        Case{"a quoted cell", "a,b\n1,\"" + long_text + "\"\n",
             "t.csv:2:3: expected a closing quote, got none in 1048576 bytes"},
        Case{"columns", wide + "\n", "t.csv:1:1: expected at most 1000 columns, got 1001"},
        Case{"a record", "a,b\n" + wide + "\n",
             "t.csv:2:1: expected 2 cells as in the header, got 1001"}}) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(refusal_of(c.text), c.message);
  }
  const std::string fits(csv_record_bytes_max - 2, 'x');
  EXPECT_EQ(refusal_of("a,b\n1," + fits + "\n"), "no problem");
}

TEST(Csv, WritesWhatItReads) {
  const Texts cells{"plain", "", "a,b", "say \"x\"", "two\nlines", " spaces "};
  const std::string text = "1,2,3,4,5,6\n" + csv_record(cells);
  const CsvTable table = read_csv(text, "t.csv");
  ASSERT_EQ(table.records.size(), 1U);
  EXPECT_EQ(texts(table.records.front()), cells);
}

TEST(Csv, QuotesOnlyWhatNeedsIt) {
  const Texts fields{"plain", "a,b", "say \"no\"", "two\nlines", ""};
  EXPECT_EQ(csv_record(fields), "plain,\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",\n");
}

}  // namespace
}  // namespace cubicbench::support
