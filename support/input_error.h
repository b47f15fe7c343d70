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

/// Bad input: everything wrong with one file, in the order it was found. Programs print `what()`
/// (a line a problem, `WHERE: TEXT`, no newline after the last) to standard error and exit with 2.
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

/// What is wrong with one table. A column of the wrong type is wrong in every row, so only the
/// first are kept and the rest is counted.
class TableProblems {
 public:
  static constexpr std::size_t shown_max = 20;

  /// Requires a file name for what is said of the problems that are not shown.
  explicit TableProblems(std::string file) : file_(std::move(file)) {}

  void add(std::string where, std::string text);

  /// Throws InputError unless nothing was added.
  void throw_if_any() const;

 private:
  std::string file_;
  std::vector<Problem> shown_;
  std::size_t count_ = 0;
};

/// The world failed: a result could not be written. Programs print `what()` and exit with 3.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `text` as a message shows it: at most 60 characters, the last three of a longer one being
/// `...`, cut between UTF-8 characters, control characters written as `\u001b`.
std::string shortened(std::string_view text);

/// `text` between double quotes, as it is, for a message.
std::string in_quotes(std::string_view text);

}  // namespace cubicbench::support
