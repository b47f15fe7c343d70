#include "cli/terminal/note.h"

#include <iostream>

namespace cubicbench::cli {

void say_note(std::string_view text, bool quiet) {
  if (!quiet) std::cerr << "cubicbench: " + std::string(text) + "\n" << std::flush;
}

void end_if_requested(const support::InterruptionWatch& watch, const std::string& left) {
  if (!watch.requested()) return;
  const std::string by = support::signal_name(watch.signal());
  throw support::Interrupted(watch.signal(), "cubicbench: ended by " + by + "; " + left);
}

}  // namespace cubicbench::cli
