#include "support/shown_character.h"

#include <gtest/gtest.h>

#include <string>

namespace cubicbench::support {
namespace {

TEST(TerminalText, KeepsWhatIsShownAndTheLayout) {
  const std::string text = "a\tb\nÄ \u2013 \u65e5 \U0001F600";
  EXPECT_EQ(terminal_text(text), text);
  EXPECT_EQ(terminal_text(""), "");
}

TEST(TerminalText, WritesControlsOfSevenAndEightBitsAsEscapes) {
  EXPECT_EQ(terminal_text("a\x1b[31m\r\x7f"), "a\\u001b[31m\\u000d\\u007f");
  EXPECT_EQ(terminal_text("\u0080\u009b\u009f\u00a0"), "\\u0080\\u009b\\u009f\u00a0");
  EXPECT_EQ(terminal_text(std::string("a\0b", 3)), "a\\u0000b");
}

TEST(TerminalText, WritesWhatTurnsTheDirectionAsEscapes) {
  EXPECT_EQ(terminal_text("\u061c\u200e\u200f"), "\\u061c\\u200e\\u200f");
  EXPECT_EQ(terminal_text("\u202a\u202e\u2066\u2069"), "\\u202a\\u202e\\u2066\\u2069");
  EXPECT_EQ(terminal_text("\u200d\u2027\u202f\u2065\u206a"), "\u200d\u2027\u202f\u2065\u206a");
}

TEST(TerminalText, WritesBytesThatAreNoTextAsTheyAre) {
  EXPECT_EQ(terminal_text("\x9b"
                          "31m \xff \xc3"),
            "\\x9b31m \\xff \\xc3");
}

TEST(ShownCharacters, TakeAWholeCharacterAtOnce) {
  const ShownCharacter shown = shown_character("\u202eabc");
  EXPECT_EQ(shown.bytes, 3U);
  EXPECT_EQ(shown.text, "\\u202e");
  EXPECT_EQ(shown.width, 6U);
  EXPECT_EQ(shown_character("\u00e9x").bytes, 2U);
  EXPECT_EQ(shown_character("\u00e9x").width, 1U);
}

}  // namespace
}  // namespace cubicbench::support
