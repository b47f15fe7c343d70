#include "cli/terminal/lesson_streams.h"

#include <unistd.h>

#include <iostream>
#include <optional>
#include <string>

#include "results/lessons/play_lesson.h"
#include "support/shown_character.h"

namespace cubicbench::cli {

void play_on_streams(const results::Lesson& lesson, const results::Screen& screen) {
  const bool is_typed = ::isatty(STDIN_FILENO) == 1;
  const auto show = [](const std::string& text) { std::cout << text << std::flush; };
  const auto next_line = [&]() -> std::optional<std::string> {
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    if (!is_typed) show(support::terminal_text(line) + "\n");
    return line;
  };
  results::play_lesson(lesson, {.show = show, .next_line = next_line}, screen);
}

}  // namespace cubicbench::cli
