#include "cli/asked_program.h"

#include <sstream>

#include "cli/exit_code.h"
#include "cli/run.h"
#include "support/input_error.h"
#include "support/interruption.h"
#include "support/joined.h"

namespace cubicbench::cli {

std::string asked_program(const std::vector<std::string>& words) {
  std::ostringstream out;
  std::ostringstream err;
  std::vector<std::string> quiet = words;
  quiet.emplace_back("--quiet");
  const int code = run(quiet, out, err);
  std::string said = err.str();
  said.resize(said.find_last_not_of('\n') + 1);
  if (code > ended_by_signal) throw support::Interrupted(code - ended_by_signal, said);
  if (code == world_failed) throw support::OutputError(said);
  if (code != done) throw support::InputError("cubicbench " + support::joined(words, " "), said);
  return out.str();
}

}  // namespace cubicbench::cli
