#pragma once

#include <string>
#include <string_view>

#include "support/interruption.h"

namespace cubicbench::cli {

/// Says something that changes no result, on standard error; nothing with `quiet`.
void say_note(std::string_view text, bool quiet);

/// Throws Interrupted when a signal has arrived; `left` says how that leaves things.
void end_if_requested(const support::InterruptionWatch& watch, const std::string& left);

}  // namespace cubicbench::cli
