#pragma once

#include <functional>
#include <optional>
#include <string>

#include "results/document/terminal.h"
#include "results/lessons/lesson.h"

namespace cubicbench::results {

/// Who plays a lesson in a terminal.
struct LessonReader {
  /// Shows the text.
  std::function<void(const std::string&)> show;
  /// Waits for a line; nothing where none will come.
  std::function<std::optional<std::string>()> next_line;
};

/// Plays the lesson: the question, and the choices until a line is one of them; what is said of it,
/// the answer, the measured run and the exercise; after another line the solution. Once no line
/// comes any more, the rest is shown without waiting.
void play_lesson(const Lesson& lesson, const LessonReader& reader, const Screen& screen);

}  // namespace cubicbench::results
