#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/options/command.h"

namespace cubicbench::cli {

/// The program as its help text has it.
struct Program {
  std::string name;
  std::string description;
  std::string footer;
  std::string welcome;  ///< what it says when nothing is asked
  std::string version;
};

/// What a command line comes to: a text that it asks for, or a command whose fields are filled.
struct Parsed {
  std::string text{};                ///< help or version
  const Command* command = nullptr;  ///< one of those given; null with a text
};

/// Reads `args` (without the program's name). Throws InputError on anything unknown, missing,
/// misplaced or wrong.
Parsed parse(const Program& program, std::span<Command> commands,
             const std::vector<std::string>& args);

}  // namespace cubicbench::cli
