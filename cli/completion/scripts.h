#pragma once

#include <span>
#include <string>

#include "cli/options/command.h"

namespace cubicbench::cli {

// Scripts that make a shell complete the command line of `cubicbench`, from the same tables of
// options that the program reads it by.

std::string bash_completion(std::span<const Command> commands);
std::string zsh_completion(std::span<const Command> commands);
std::string fish_completion(std::span<const Command> commands);

}  // namespace cubicbench::cli
