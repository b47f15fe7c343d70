#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cubicbench::support {

/// One thing wrong with what the user gave us.
struct Problem {
  std::string where;  ///< `FILE#/pointer`, `FILE:LINE:COLUMN`, or the option as it was typed
  std::string text;   ///< `expected ..., got ...`
  bool operator==(const Problem&) const = default;
};

/// Problems that are kept of one input. Further ones are dropped.
inline constexpr std::size_t problems_max = 1000;

/// Adds the problem, unless there are `problems_max` already.
void add_problem(std::vector<Problem>& problems, Problem problem);

/// Bad input: everything wrong with one file, in the order it was found. Programs print `what()`
/// to standard error and exit with 2: a line per problem, `WHERE: TEXT`, no newline after the last,
/// and of more than twenty how many are left out.
class InputError : public std::exception {
 public:
  /// Requires at least one problem.
  explicit InputError(std::vector<Problem> problems);
  InputError(std::string where, std::string text);

  const std::vector<Problem>& problems() const { return problems_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::vector<Problem> problems_;
  std::string message_;
};

/// Throws InputError with all of `problems` unless there are none.
void throw_if_any(const std::vector<Problem>& problems);

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

/// The world failed: a result could not be written. Programs print `what()` and exit with 3.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `text` as a message shows it: at most 60 characters, the last three of a longer one being
/// `...`, cut between UTF-8 characters, each as shown_character() has it.
std::string shortened(std::string_view text);

/// `text` between double quotes, as it is, for a message.
std::string in_quotes(std::string_view text);

}  // namespace cubicbench::support
