#pragma once

#include <string>
#include <vector>

#include "cli/options/options.h"

namespace cubicbench::cli {

/// What a shell offers for the value of an option, or for an argument.
struct Offered {
  std::vector<std::string> words{};
  bool files = false;    ///< names of files, beside the words
  bool folders = false;  ///< names of folders, beside the words
};

/// The option's own choices; else, where it is named after something that `list` knows, what ships
/// of it; else what its placeholder stands for.
Offered offered_for(const Option& option);

/// Whether an option takes a value: neither a flag nor an argument.
bool has_value(const Option& option);
bool is_argument(const Option& option);

/// Its help text in one line.
std::string help_line(const Option& option);

}  // namespace cubicbench::cli
