#include "results/document/paragraph.h"

#include <gtest/gtest.h>

namespace cubicbench::results {
namespace {

TEST(Paragraph, BreaksAt80ColumnsAndIndents) {
  const std::string word(30, 'x');
  EXPECT_EQ(paragraph("head", 8, word + " " + word + " " + word),
            "head    " + word + " " + word + "\n        " + word + "\n");
}

TEST(Paragraph, FillsALineExactly) {
  EXPECT_EQ(paragraph("", 0, std::string(40, 'a') + " " + std::string(39, 'b')),
            std::string(40, 'a') + " " + std::string(39, 'b') + "\n");
}

TEST(Paragraph, KeepsWordsThatAreTooLongAndEmptyText) {
  EXPECT_EQ(paragraph("a", 2, std::string(90, 'x')), "a " + std::string(90, 'x') + "\n");
  EXPECT_EQ(paragraph("head", 8, ""), "head\n");
}

TEST(Paragraph, DoesNotSteerTheTerminal) {
  EXPECT_EQ(paragraph("a", 2, "x\x1b[31my"), "a x?[31my\n");
}

TEST(Columns, CountsCharactersRatherThanBytes) { EXPECT_EQ(columns_of("a█▏"), 3U); }

}  // namespace
}  // namespace cubicbench::results
