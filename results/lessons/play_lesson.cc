#include "results/lessons/play_lesson.h"

#include <cstddef>

#include "results/document/paragraph.h"
#include "results/lessons/lesson_document.h"

namespace cubicbench::results {
namespace {

/// "a, b or c".
std::string letters_of(const Lesson& lesson) {
  std::string letters;
  for (std::size_t i = 0; i < lesson.choices.size(); ++i) {
    if (i > 0) letters += i + 1 == lesson.choices.size() ? " or " : ", ";
    letters += letter_of(i);
  }
  return letters;
}

std::string question_text(const Lesson& lesson, const Screen& screen) {
  std::string text = title_of(lesson) + "\n\n" +
                     terminal_text({.title = "", .blocks = lesson.question}, screen) + "\n";
  for (std::size_t i = 0; i < lesson.choices.size(); ++i) {
    text += paragraph("  " + letter_of(i) + ")", 5, lesson.choices[i].text);
  }
  return text;
}

std::string reply_text(const LessonChoice& choice, const std::string& verdict,
                       const Screen& screen) {
  return terminal_text(reply_document(choice, verdict), screen);
}

/// The choice that the reader makes; nothing where no line comes any more.
std::optional<std::size_t> asked_choice(const Lesson& lesson, const LessonReader& reader) {
  reader.show("\nYour prediction, " + letters_of(lesson) + ": ");
  while (const std::optional<std::string> line = reader.next_line()) {
    const std::size_t choice = choice_of(lesson, *line);
    if (choice < lesson.choices.size()) return choice;
    reader.show("Please type " + letters_of(lesson) + ": ");
  }
  reader.show("\n");
  return std::nullopt;
}

std::string verdict_text(const Lesson& lesson, std::optional<std::size_t> chosen,
                         const Screen& screen) {
  const std::size_t right = right_choice(lesson);
  const std::string it_is = "It is " + letter_of(right) + ". ";
  if (!chosen) return reply_text(lesson.choices[right], it_is, screen);
  if (*chosen == right) return reply_text(lesson.choices[right], "Right. ", screen);
  return reply_text(lesson.choices[*chosen], "No, " + letter_of(*chosen) + " is not it. ", screen) +
         "\n" + reply_text(lesson.choices[right], it_is, screen);
}

}  // namespace

void play_lesson(const Lesson& lesson, const LessonReader& reader, const Screen& screen) {
  reader.show(question_text(lesson, screen));
  const std::optional<std::size_t> chosen = asked_choice(lesson, reader);
  reader.show("\n" + verdict_text(lesson, chosen, screen) + "\n" +
              terminal_text(answer_document(lesson), screen));
  if (chosen) {
    reader.show("\nEnter shows the solution: ");
    if (!reader.next_line()) reader.show("\n");
  }
  const Document solution{.title = "", .blocks = lesson.solution};
  reader.show("\nSolution\n" + terminal_text(solution, screen));
}

}  // namespace cubicbench::results
