#pragma once

#include <string>
#include <string_view>

namespace cubicbench::results {

/// What the program `gnuplot` prints on reading `script`: its own defaults, no file of the user's,
/// the C locale. Throws OutputError when it cannot be started, which says what to install, and when
/// it fails, with its last words.
std::string run_gnuplot(std::string_view script);

}  // namespace cubicbench::results
