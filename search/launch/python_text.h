#pragma once

#include <span>
#include <string>
#include <vector>

#include "search/launch/program_call.h"

namespace cubicbench::search {

/// The lines of the options: `config.NAME = VALUE` each, or of keywords `CALLEE = dict(NAME=VALUE,
/// ...)` for each callee, in the order in which they first come.
std::vector<std::string> python_lines(OptionForm form, std::span<const SpokenOption> options);

/// `omitted = dict(NAME=VALUE, ...)`: what a script can still look at.
std::string python_omitted(std::span<const OmittedSetting> omitted);

}  // namespace cubicbench::search
