#include "cli/terminal/lesson_streams.h"

#include <unistd.h>

#include <cstddef>
#include <iostream>
#include <optional>
#include <string>

#include "results/lessons/play_lesson.h"
#include "support/interruption.h"
#include "support/line_reader.h"
#include "support/shown_character.h"

namespace cubicbench::cli {

void play_on_streams(const results::Lesson& lesson, const results::Screen& screen) {
  const bool is_typed = ::isatty(STDIN_FILENO) == 1;
  const auto show = [](const std::string& text) { std::cout << text << std::flush; };
  constexpr std::size_t line_max = 1 << 16;
  support::LineReader reader(STDIN_FILENO, line_max);
  const auto next_line = [&] {
    const std::optional<std::string> line = reader.next(support::is_interrupted);
    support::end_if_interrupted();
    if (line && !is_typed) show(support::terminal_text(*line) + "\n");
    return line;
  };
  results::play_lesson(lesson, {.show = show, .next_line = next_line}, screen);
}

}  // namespace cubicbench::cli
