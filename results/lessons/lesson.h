#pragma once

#include <string>
#include <vector>

#include "results/document/document.h"

namespace cubicbench::results {

/// A prediction that a reader may choose, and what is said to one who chose it.
struct LessonChoice {
  std::string text;
  std::vector<Block> reply;
  bool is_right = false;
};

/// A question, the reader's prediction, and what the program and measured runs say: every number in
/// it was the program's answer when the lesson was read.
struct Lesson {
  int number = 0;    ///< from 1
  std::string name;  ///< of its page, without an ending: "01-roofline-and-mfu"
  std::string title;
  std::vector<Block> question;
  std::vector<LessonChoice> choices;  ///< one of them is right
  std::vector<Block> command;         ///< what to type, and in short what it prints
  std::vector<Block> picture;
  std::vector<Block> answer;
  std::vector<Block> measured;  ///< a run that somebody measured, beside the simulated number
  std::vector<Block> exercise;
  std::vector<Block> solution;
  std::vector<std::string> commands;  ///< all that its numbers come from, as one types them
};

/// Which choice a letter of the reader's line is: "a", "B", "c)". The number of choices for what is
/// none.
std::size_t choice_of(const Lesson& lesson, const std::string& line);

/// "a" for the first.
std::string letter_of(std::size_t choice);

/// The right choice.
std::size_t right_choice(const Lesson& lesson);

}  // namespace cubicbench::results
