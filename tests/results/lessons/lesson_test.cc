// Lessons on a program that answers with numbers of ours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/lessons/lesson_blocks.h"
#include "results/lessons/lesson_document.h"
#include "results/lessons/lesson_page.h"
#include "results/lessons/lesson_values.h"
#include "results/lessons/play_lesson.h"
#include "results/lessons/read_lesson.h"
#include "support/input_error.h"
#include "tests/results/page_text.h"
#include "tests/results/well_formed.h"
#include "tests/text_files.h"

namespace cubicbench::results {
namespace {

using support::InputError;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A step of 4 s, a quarter of it waiting; for people three lines.
std::string answer_of(const std::vector<std::string>& words) {
  if (words.front() == "fail") throw InputError("cubicbench fail", "no such command");
  if (words.front() == "timeline") {
    write_text(words.back(), "<svg>" + words[1] + "</svg>");
    return "";
  }
  if (words.back() != "--json")
    return "step time   4.000 s\n  products  3 s  ####\n  waiting   1 s  #\n";
  return R"({"step_time_s": 4, "scenario": "toy", "rows": [7, 8],
             "breakdown": [{"name": "products", "seconds": 3}, {"name": "waiting", "seconds": 1}]})";
}

LessonValues toy_values() {
  LessonValues values(answer_of);
  values.add("a", "simulate toy", "here:1");
  return values;
}

std::string problem_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(LessonValues, FillPlacesFromWhatTheProgramAnswers) {
  const LessonValues values = toy_values();
  EXPECT_EQ(values.filled("{a.scenario} takes {a.step_time_s as time}.", "x"),
            "toy takes 4.000 s.");
  EXPECT_EQ(values.filled("{a}", "x"), "cubicbench simulate toy");
  EXPECT_EQ(values.filled("{a.breakdown.waiting.seconds / a.step_time_s as percent}", "x"),
            "25.0 %");
  EXPECT_EQ(values.filled("{a.rows.1 as count}, {a.rows.0 as digits1}", "x"), "8, 7.0");
  EXPECT_EQ(values.filled("{0 - 0.05 as signed_percent} {1.5 * 1073741824 as gib}", "x"),
            "-5.0 % 1.5 GiB");
}

TEST(LessonValues, FollowTheRulesOfArithmetic) {
  const LessonValues values = toy_values();
  EXPECT_EQ(values.number("2 + 3 * 4", "x"), 14);
  EXPECT_EQ(values.number("( 2 + 3 ) * 4", "x"), 20);
  EXPECT_EQ(values.number("8 - 3 - 2", "x"), 3);
  EXPECT_EQ(values.number("a.step_time_s / 2 / 2", "x"), 1);
  EXPECT_EQ(values.number("1 + 3 * 2 ^ 5", "x"), 97);
  EXPECT_EQ(values.number("0.5 ^ 0", "x"), 1);
}

TEST(LessonValues, SayWhatIsWrongAndWhere) {
  const LessonValues values = toy_values();
  const auto of = [&](const std::string& text) {
    return problem_of([&] { values.filled(text, "toy.md:7"); });
  };
  EXPECT_EQ(of("{a.step_time as time}"),
            "toy.md:7: no \"step_time\" in {a.step_time}; did you mean \"step_time_s\"?");
  EXPECT_THAT(of("{b.x as time}"), HasSubstr("no \"b\" in {b.x}"));
  EXPECT_THAT(of("{a.breakdown.wating.seconds as time}"), HasSubstr("did you mean \"waiting\""));
  EXPECT_THAT(of("{a.step_time_s as hours}"), HasSubstr("expected a format, one of percent"));
  EXPECT_THAT(of("{a.step_time_s}"), HasSubstr("expected a format, as in"));
  EXPECT_THAT(of("{a.scenario as time}"), HasSubstr("expected a number at a.scenario"));
  EXPECT_THAT(of("{1 / 0 as time}"), HasSubstr("a division by zero"));
  EXPECT_THAT(of("{2 ^ 0.5 as time}"), HasSubstr("expected a whole exponent"));
  EXPECT_THAT(of("{1 + as time}"), HasSubstr("expected a number or a path at the end"));
  EXPECT_THAT(of("{( 1 as time}"), HasSubstr("expected a closing bracket"));
  EXPECT_THAT(of("{1 2 as time}"), HasSubstr("expected an operator before \"2\""));
  EXPECT_THAT(of("open {a.scenario"), HasSubstr("expected a } behind {"));
}

TEST(LessonBlocks, DrawATimeline) {
  const std::vector<Block> blocks = blocks_of({{"```timeline own toy --ranks 0", "toy.md:1"},
                                               {"It takes", "toy.md:2"},
                                               {"{a.step_time_s as time}.", "toy.md:3"},
                                               {"```", "toy.md:4"}},
                                              toy_values());
  ASSERT_EQ(blocks.size(), 3U);
  const auto& picture = std::get<Picture>(blocks[0].content);
  EXPECT_EQ(picture.svg, "<svg>toy</svg>");
  EXPECT_EQ(picture.stem, "own");
  EXPECT_EQ(picture.caption, "It takes 4.000 s.");
  EXPECT_FALSE(includes(blocks[0].media, Media::terminal));
  EXPECT_EQ(std::get<Command>(blocks[2].content).text,
            "cubicbench timeline toy --ranks 0 --out own.svg\n");
}

TEST(LessonValues, CheckClaims) {
  const LessonValues values = toy_values();
  EXPECT_TRUE(values.holds("a.step_time_s > 3.9", "x"));
  EXPECT_TRUE(values.holds("a.step_time_s <= 4", "x"));
  EXPECT_FALSE(values.holds("a.breakdown.products.seconds < a.breakdown.waiting.seconds", "x"));
  EXPECT_THAT(problem_of([&] { values.holds("a.step_time_s", "x"); }),
              HasSubstr("expected a comparison"));
}

TEST(LessonValues, PrintInShort) {
  const LessonValues values = toy_values();
  EXPECT_EQ(values.printed("a", {"step time", "waiting"}, "x"),
            "$ cubicbench simulate toy\nstep time   4.000 s\n  waiting   1 s\n");
  EXPECT_THAT(problem_of([&] {
                values.printed("a", {"waiting", "step time"}, "toy.md:3");
              }),
              HasSubstr("simulate toy prints no line \"step time\" behind those before it"));
}

const std::string toy_text = R"(# A toy

run a: simulate toy
claim: a.step_time_s > 2

## Question

How long is a step?

## Choices

- An hour.
  It is not.
+ {a.step_time_s as time}.
  Products and waiting.

## Command

```prints a
step time
```

## Picture

```bars Parts
products = a.breakdown.products.seconds as time
waiting = a.breakdown.waiting.seconds as time
```

## Answer

It is <the> sum.

## Measured

| what | seconds |
|---|---:|
| waiting | {a.breakdown.waiting.seconds as digits1} |

## Exercise

And without waiting?

## Solution

{a.step_time_s - a.breakdown.waiting.seconds as time}
)";

/// The toy with `part` in place of `of`.
std::string changed(const std::string& of, const std::string& part) {
  std::string text = toy_text;
  return text.replace(text.find(of), of.size(), part);
}

Lesson toy(const std::string& text = toy_text) {
  return read_lesson(lesson_source("07-toy", text), answer_of);
}

std::string problem_in(const std::string& of, const std::string& part) {
  return problem_of([&] { toy(changed(of, part)); });
}

TEST(Lesson, IsReadFromItsText) {
  const Lesson lesson = toy();
  EXPECT_EQ(title_of(lesson), "Lesson 7: A toy");
  ASSERT_EQ(lesson.choices.size(), 2U);
  EXPECT_EQ(lesson.choices[1].text, "4.000 s.");
  EXPECT_EQ(right_choice(lesson), 1U);
  EXPECT_THAT(lesson.commands, ElementsAre("cubicbench simulate toy"));
}

TEST(Lesson, RefusesATextWithThePlace) {
  EXPECT_EQ(problem_in("claim: a.step_time_s > 2", "claim: a.step_time_s > 5"),
            "07-toy.md:4: no longer true: a.step_time_s > 5");
  EXPECT_THAT(problem_in("run a", "walk a"), HasSubstr("07-toy.md:3: expected run NAME"));
  EXPECT_THAT(problem_in("simulate toy", "fail"), HasSubstr("no such command"));
  EXPECT_THAT(problem_in("## Command", "## Commands"),
              HasSubstr("07-toy.md:17: expected ## Command"));
  EXPECT_THAT(problem_in("## Solution", "Solution"), HasSubstr("no section ## Solution"));
  EXPECT_THAT(problem_in("+ {a", "- {a"), HasSubstr("expected one right choice, got 0"));
  EXPECT_THAT(problem_in("  It is not.", ""), HasSubstr("nothing is said of: An hour."));
  EXPECT_THAT(problem_in("```bars", "```pie"),
              HasSubstr("07-toy.md:25: expected bars, curves, timeline or prints"));
  EXPECT_THAT(problem_in("products =", "products"),
              HasSubstr("expected LABEL = FORMULA as FORMAT"));
  EXPECT_THAT(problem_in("| waiting |", "| waiting | 1 |"), HasSubstr("as many cells"));
  EXPECT_THAT(problem_of([] { lesson_source("toy", "# A toy"); }), HasSubstr("NUMBER-NAME.md"));
}

TEST(Lesson, ChoiceIsALetter) {
  const Lesson lesson = toy();
  EXPECT_EQ(choice_of(lesson, "a"), 0U);
  EXPECT_EQ(choice_of(lesson, " B) \r"), 1U);
  for (const char* line : {"", "c", "ab", "1", "A hour"})
    EXPECT_EQ(choice_of(lesson, line), 2U) << line;
}

/// What is shown to somebody who types these lines, each behind a `>`.
std::string played(const Lesson& lesson, std::vector<std::string> lines) {
  std::string shown;
  std::size_t next = 0;
  play_lesson(lesson,
              {.show = [&](const std::string& text) { shown += text; },
               .next_line = [&]() -> std::optional<std::string> {
                 if (next == lines.size()) return std::nullopt;
                 shown += ">" + lines[next] + "\n";
                 return lines[next++];
               }},
              {.ink = Ink::plain});
  return shown;
}

TEST(PlayLesson, WaitsForAChoice) {
  const std::string shown = played(toy(), {"what?", "b", ""});
  EXPECT_THAT(shown, HasSubstr("How long is a step?\n\n  a) An hour.\n  b) 4.000 s.\n\n"
                               "Your prediction, a or b: >what?\nPlease type a or b: >b\n\n"
                               "Right. Products and waiting.\n"));
  EXPECT_THAT(
      shown,
      HasSubstr("And without waiting?\n\nEnter shows the solution: >\n\nSolution\n3.000 s\n"));
  EXPECT_THAT(shown, Not(HasSubstr("It is not.")));
}

TEST(PlayLesson, TellsTheRightOneBehindAWrongOne) {
  EXPECT_THAT(played(toy(), {"a", ""}),
              HasSubstr("No, a is not it. It is not.\n\nIt is b. Products and waiting.\n"));
}

TEST(PlayLesson, ShowsTheRestWhereNobodyTypes) {
  const std::string shown = played(toy(), {});
  EXPECT_THAT(shown, HasSubstr("It is b. Products and waiting.\n"));
  EXPECT_THAT(shown, HasSubstr("products  3.000 s  ##############################\n"));
  EXPECT_THAT(shown, testing::EndsWith("Solution\n3.000 s\n"));
  EXPECT_THAT(shown, Not(HasSubstr("Enter shows")));
}

TEST(LessonPage, HidesTheAnswerUntilAChoiceIsMade) {
  const std::string page = lesson_page(toy(), "").html;
  EXPECT_EQ(xml_problem(page), "");
  const std::string html = without_tooltips(page);
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("It is &lt;the&gt; sum."));
  // Replies in the order of the choices, all in front of what is hidden with them.
  const std::size_t wrong = html.find("No. It is not.");
  const std::size_t right = html.find("Right. Products and waiting.");
  const std::size_t hidden = html.find("<div class=\"then\">");
  EXPECT_LT(html.find("id=\"choice-b\""), wrong);
  EXPECT_LT(wrong, right);
  EXPECT_LT(right, hidden);
  for (const char* text : {"It is &lt;the&gt; sum.", "And without waiting?", "id=\"solution\""}) {
    EXPECT_GT(html.find(text), hidden) << text;
  }
}

TEST(LessonJson, HasEverySection) {
  const nlohmann::ordered_json document = lesson_json(toy());
  EXPECT_EQ(document["schema"], "cubicbench.lesson/1");
  EXPECT_EQ(document["choices"][1]["right"], true);
  EXPECT_EQ(document["solution"], "3.000 s\n");
  for (const char* key : {"question", "command", "picture", "answer", "measured", "exercise"}) {
    EXPECT_NE(document[key], "") << key;
  }
}

}  // namespace
}  // namespace cubicbench::results
