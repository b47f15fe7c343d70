#pragma once

#include <string_view>

namespace cubicbench::cli {

/// Says something that changes no result, on standard error; nothing with `quiet`.
void say_note(std::string_view text, bool quiet);

}  // namespace cubicbench::cli
