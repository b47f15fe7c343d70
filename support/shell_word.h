#pragma once

#include <string>

namespace cubicbench::support {

/// `word` as a POSIX shell reads it back: in single quotes unless it needs none.
std::string shell_word(const std::string& word);

}  // namespace cubicbench::support
