#include "results/lessons/lesson_slides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "tests/results/page_text.h"
#include "tests/results/well_formed.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;

std::vector<Block> paragraphs(std::size_t count, const std::string& text) {
  return std::vector<Block>(count, Block{Paragraph{.text = text}});
}

Lesson toy_of_slides() {
  return {.number = 3,
          .name = "03-toy",
          .title = "A toy",
          .question = paragraphs(1, "How much?"),
          .choices = {{.text = "Much", .reply = paragraphs(1, "Too much.")},
                      {.text = "<Little>", .reply = paragraphs(1, "So it is."), .is_right = true}},
          .command = {Block{Command{"cubicbench list"}}},
          .picture = {},
          .answer = paragraphs(3, std::string(120, 'w') + " one two three four five six seven " +
                                      "eight nine ten eleven twelve thirteen fourteen fifteen " +
                                      "sixteen seventeen eighteen nineteen twenty and so it goes " +
                                      "on for as many words as fill a half of what is read"),
          .measured = paragraphs(1, "Somebody did."),
          .exercise = paragraphs(1, "And twice?"),
          .solution = paragraphs(1, "Twice as much."),
          .commands = {}};
}

TEST(LessonSlides, AskBeforeTheyAnswer) {
  const Page page = lesson_slides(toy_of_slides());
  EXPECT_EQ(xml_problem(page.html), "");
  const std::string html = without_tooltips(page.html);
  std::size_t last = 0;
  for (const char* const part :
       {"<h1>Lesson 3: A toy</h1>", "How much?", "<li>&lt;Little&gt;</li>",
        "<h2>b) &lt;Little&gt;</h2>", "So it is.", "cubicbench list", "<h2>Answer</h2>",
        "Somebody did.", "And twice?", "<h2>Solution</h2>", "Twice as much."}) {
    const std::size_t at = html.find(part);
    ASSERT_NE(at, std::string::npos) << part;
    EXPECT_GT(at, last) << part;
    last = at;
  }
  EXPECT_EQ(html.find("Too much."), std::string::npos);
}

TEST(LessonSlides, HaveFewWordsEach) {
  const std::string html = lesson_slides(toy_of_slides()).html;
  std::size_t answers = 0;
  for (std::size_t at = html.find("<h2>Answer</h2>"); at != std::string::npos;
       at = html.find("<h2>Answer</h2>", at + 1)) {
    ++answers;
  }
  EXPECT_EQ(answers, 3U);
  EXPECT_THAT(html, HasSubstr("id=\"slide-11\""));
}

TEST(LessonSlides, KeepWhatLeadsOnBesideWhatItLeadsTo) {
  Lesson lesson = toy_of_slides();
  lesson.command = paragraphs(2, std::string("one two three four five six seven eight nine ten ") +
                                     "eleven twelve thirteen fourteen fifteen sixteen seventeen " +
                                     "eighteen nineteen twenty twenty-one twenty-two twenty-three");
  lesson.command.push_back({Paragraph{.text = "And so:"}});
  lesson.command.push_back({Command{"cubicbench list"}});
  const std::string html = lesson_slides(lesson).html;
  const std::size_t leads = html.find("And so:");
  ASSERT_NE(leads, std::string::npos);
  EXPECT_LT(html.find("cubicbench list"), html.find("</section>", leads));
}

}  // namespace
}  // namespace cubicbench::results
