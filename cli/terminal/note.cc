#include "cli/terminal/note.h"

#include <iostream>
#include <string>

namespace cubicbench::cli {

void say_note(std::string_view text, bool quiet) {
  if (!quiet) std::cerr << "cubicbench: " + std::string(text) + "\n" << std::flush;
}

}  // namespace cubicbench::cli
