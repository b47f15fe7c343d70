#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "support/input_error.h"

namespace cubicbench::cli {

using Problems = std::vector<support::Problem>;

/// What `read` returns; when it throws InputError, its problems are added to `problems` and a
/// default value is returned, so that the next option can be read and everything is said at once.
template <std::invocable Read>
std::invoke_result_t<Read> gathered(Problems& problems, Read read) {
  try {
    return read();
  } catch (const support::InputError& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
  return std::invoke_result_t<Read>();
}

}  // namespace cubicbench::cli
