#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/lessons/lesson.h"
#include "results/lessons/lesson_values.h"

namespace cubicbench::results {

/// A lesson that ships, before anything is asked.
struct LessonSource {
  int number = 0;  ///< from 1
  std::string name;
  std::string title;
  std::string_view text;
};

/// All lessons that ship, in their order.
std::vector<LessonSource> lesson_sources();

/// A source from its text: `name` begins with the number, "01-roofline-and-mfu". Throws InputError
/// where it has no title.
LessonSource lesson_source(const std::string& name, std::string_view text);

/// The lesson with the program's numbers. Its source is Markdown: a title (`# `), lines
/// `run NAME: COMMAND` and `claim: FORMULA < FORMULA` (what the words say must hold), then the
/// sections Question, Choices, Command, Picture, Answer, Measured, Exercise and Solution (`## `). A
/// choice is a line `- TEXT`, the right one `+ TEXT`, and what is said of it follows, set in by two
/// spaces. Throws InputError with the place in the source.
Lesson read_lesson(const LessonSource& source, const AskProgram& ask);

}  // namespace cubicbench::results
