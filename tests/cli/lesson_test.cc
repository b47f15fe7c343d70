// The lessons that ship, with what this program answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "cli/asked_program.h"
#include "results/lessons/lesson_page.h"
#include "results/lessons/play_lesson.h"
#include "results/lessons/read_lesson.h"
#include "tests/cli/program.h"
#include "tests/results/well_formed.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::cli {
namespace {

using results::Lesson;
using results::LessonSource;
using testing::HasSubstr;

const std::vector<Lesson>& all_lessons() {
  static const std::vector<Lesson> lessons = [] {
    std::vector<Lesson> read;
    for (const LessonSource& source : results::lesson_sources()) {
      read.push_back(results::read_lesson(source, asked_program));
    }
    return read;
  }();
  return lessons;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(Lessons, AreNumberedFromOne) {
  int number = 0;
  for (const LessonSource& source : results::lesson_sources()) EXPECT_EQ(source.number, ++number);
  EXPECT_GE(number, 1);
}

TEST(Lessons, ArePlayedToTheirLastAnswerWhicheverIsChosen) {
  for (const Lesson& lesson : all_lessons()) {
    for (std::size_t choice = 0; choice < lesson.choices.size(); ++choice) {
      std::vector<std::string> lines{"", results::letter_of(choice)};
      std::string shown;
      results::play_lesson(lesson,
                           {.show = [&](const std::string& text) { shown += text; },
                            .next_line = [&]() -> std::optional<std::string> {
                              if (lines.empty()) return std::nullopt;
                              const std::string line = lines.front();
                              lines.erase(lines.begin());
                              return line;
                            }},
                           {.ink = results::Ink::plain});
      EXPECT_EQ(count_of(shown, "Right. "), choice == results::right_choice(lesson) ? 1U : 0U);
      EXPECT_THAT(shown, HasSubstr("A measured run\n"));
      EXPECT_THAT(shown, HasSubstr("\nSolution\n"));
      EXPECT_EQ(shown.find('{'), std::string::npos);
    }
  }
}

// Every label has its input, every choice its reply, every link leads to something on the page.
TEST(Lessons, HaveSoundPages) {
  static const std::regex id(" id=\"([^\"]*)\"");
  static const std::regex reference("(?: for=\"|aria-labelledby=\"|href=\"#)([^\"]*)\"");
  for (const Lesson& lesson : all_lessons()) {
    SCOPED_TRACE(lesson.name);
    const std::string html = results::lesson_page(lesson, "").html;
    EXPECT_EQ(results::xml_problem(html), "");
    std::set<std::string> ids;
    for (std::sregex_iterator at(html.begin(), html.end(), id), end; at != end; ++at) {
      EXPECT_TRUE(ids.insert((*at)[1]).second) << (*at)[1];
    }
    for (std::sregex_iterator at(html.begin(), html.end(), reference), end; at != end; ++at) {
      EXPECT_TRUE(ids.contains((*at)[1])) << (*at)[1];
    }
    EXPECT_EQ(count_of(html, "type=\"radio\""), lesson.choices.size());
    EXPECT_EQ(count_of(html, "<section class=\"reply\">"), lesson.choices.size());
  }
}

TEST(LessonCommand, ListsThem) {
  const Answer answer = ask("lesson");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, HasSubstr("1       Roofline and MFU\n"));
  const auto document = nlohmann::json::parse(ask("lesson --json").out);
  EXPECT_EQ(document["schema"], "cubicbench.lessons/1");
  EXPECT_EQ(document["lessons"].size(), results::lesson_sources().size());
  EXPECT_EQ(document["lessons"][0]["name"], "01-roofline-and-mfu");
}

TEST(LessonCommand, WritesOneAsADocument) {
  const auto document = nlohmann::json::parse(ask("lesson 2 --json").out);
  EXPECT_EQ(document["number"], 2);
  EXPECT_THAT(document["commands"], testing::Contains("cubicbench simulate llama3-8b"));
}

TEST(LessonCommand, MakesAllFoldersOrNone) {
  const TemporaryFolder folder;
  write_text(folder / "full/file", "x");
  const Answer answer = ask("lesson 1 --out " + (folder / "pages").string() + " --slides " +
                            (folder / "full").string());
  EXPECT_EQ(answer.code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "pages"));
  const std::string same = (folder / "one").string();
  EXPECT_EQ(ask("lesson 1 --out " + same + " --slides " + same).err,
            "--slides: expected another folder than that of --out\n");
}

TEST(LessonCommand, RefusesWhatIsNone) {
  for (const char* line : {"lesson 0", "lesson 99", "lesson one", "lesson -1"}) {
    const Answer answer = ask(line);
    EXPECT_EQ(answer.code, 2) << line;
    EXPECT_THAT(answer.err, HasSubstr("N: expected an integer in [1, "));
  }
  const Answer both = ask("lesson 2 --markdown nowhere");
  EXPECT_EQ(both.code, 2);
  EXPECT_EQ(both.err, "--markdown: expected no N beside it: it writes all lessons\n");
}

}  // namespace
}  // namespace cubicbench::cli
