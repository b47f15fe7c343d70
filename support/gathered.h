#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "support/input_error.h"

namespace cubicbench::support {

/// What `read` returns; when it throws InputError, its problems are added to `problems` and a
/// default value is returned, so that what comes next can be read and everything is said at once.
template <std::invocable Read>
std::invoke_result_t<Read> gathered(std::vector<Problem>& problems, Read read) {
  try {
    return read();
  } catch (const InputError& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
  return std::invoke_result_t<Read>();
}

}  // namespace cubicbench::support
