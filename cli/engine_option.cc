#include "cli/engine_option.h"

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <string_view>

#include "cli/options.h"
#include "scenarios/input_error.h"

namespace cubicbench::cli {
namespace {

using scenarios::InputError;

/// Options of the event engine; known, so that whoever uses one learns why it is refused.
constexpr std::array<std::string_view, 5> event_options{"--contention", "--fold", "--jitter",
                                                        "--trace", "--trace-ranks"};

}  // namespace

void declare_engine(CLI::App& app) {
  for (const std::string_view name : event_options) {
    declare_value(app, std::string(name), "VALUE", "")->group("");  // not in the help text
  }
  declare_value(app, "--engine", "ENGINE", "analytical, the only engine of this version");
}

void check_engine(const CLI::App& app) {
  const std::string engine = value_of(app, "--engine").value_or("analytical");
  if (engine == "event") {
    throw InputError("--engine", "the event engine is not part of this version");
  }
  if (engine != "analytical") {
    throw InputError("--engine",
                     "expected analytical, got \"" + scenarios::shortened(engine) + "\"");
  }
  for (const std::string_view name : event_options) {
    if (app.count(std::string(name)) > 0) {
      throw InputError(std::string(name),
                       "needs the event engine, which is not part of this version");
    }
  }
}

}  // namespace cubicbench::cli
