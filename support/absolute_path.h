#pragma once

#include <string_view>

namespace cubicbench::support {

/// Does a shell command hold an absolute path, which would tell whose machine it was written on? In
/// all doubt a '/' begins one: it does not where it follows a name in a relative path, as in
/// "a-b/c",
/// "../c" and "$HOME/c", and does after an option's letter ("-I/c").
bool has_absolute_path(std::string_view command);

}  // namespace cubicbench::support
