#include "results/lessons/lesson.h"

#include <algorithm>

#include "support/characters.h"

namespace cubicbench::results {

std::size_t choice_of(const Lesson& lesson, const std::string& line) {
  std::string word;
  for (const char c : line) {
    if (c != ' ' && c != '\t' && c != '\r' && c != ')' && c != '.') word += support::lowered(c);
  }
  for (std::size_t i = 0; i < lesson.choices.size(); ++i) {
    if (word == letter_of(i)) return i;
  }
  return lesson.choices.size();
}

std::string letter_of(std::size_t choice) {
  return std::string(1, static_cast<char>('a' + static_cast<int>(choice)));
}

std::size_t right_choice(const Lesson& lesson) {
  const auto right = std::ranges::find(lesson.choices, true, &LessonChoice::is_right);
  return static_cast<std::size_t>(right - lesson.choices.begin());
}

}  // namespace cubicbench::results
