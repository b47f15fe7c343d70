#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/logs/logged_run.h"
#include "support/input_error.h"

namespace cubicbench::datasets {

// Limits of what a run can report. A larger number is an error in the log, or damage to it.
inline constexpr double step_seconds_max = 1e6;
inline constexpr double memory_gib_max = 93'132.26;  ///< 100 TB
inline constexpr double rate_max = 1e12;  ///< of tokens, samples, FLOP/s in units of 1e12

/// Where readers put what a log says. Collects every problem instead of stopping at the first;
/// a number that cannot be is one, `FILE:LINE: expected ..., got ...`.
class LogRecorder {
 public:
  LogRecorder(LoggedRun& run, std::vector<support::Problem>& problems)
      : run_(run), problems_(problems) {}

  /// The log calls `name` what the schema has as `column`, and says `text`. A cell that the schema
  /// does not take, and another value than an earlier line has, are problems. An empty text says
  /// nothing.
  void cell(std::string_view column, std::string text, std::string name, std::size_t line);
  void cell(std::string_view column, std::int64_t count, std::string name, std::size_t line);

  /// The text as a number in (0, max]; else a problem, and nothing.
  std::optional<double> number(std::string_view text, std::string_view name, std::size_t line,
                               double max);
  /// The same in [0, max]: of what small models round to zero.
  std::optional<double> number_or_zero(std::string_view text, std::string_view name,
                                       std::size_t line, double max);
  /// The text as a count in [min, 10^15], which may have commas between its digits.
  std::optional<std::int64_t> count(std::string_view text, std::string_view name, std::size_t line,
                                    std::int64_t min = 1);

  /// Adds a rate to `step` where the record states one above zero.
  void rate(LoggedStep& step, std::string_view name, std::string_view text);

  void step(LoggedStep step) { run_.steps.push_back(std::move(step)); }
  void pause(std::size_t line) { run_.pauses.push_back(line); }
  /// Kept where it is the highest.
  void peak(double gib, std::string_view kind, std::size_t line);
  /// The same of a program that never forgets its peak: one below an earlier one is named.
  void growing_peak(double gib, std::string_view kind, std::size_t line);
  void out_of_memory(std::size_t line);
  void not_understood(std::size_t line, std::string what);
  void note(std::string text) { run_.notes.push_back(std::move(text)); }
  void version(std::string_view name) { run_.version = name; }
  void problem(std::size_t line, std::string text);

  LoggedRun& run() { return run_; }
  /// What a cell says, or null.
  const LoggedCell* find(std::string_view column) const;
  /// The same as a count.
  std::optional<std::int64_t> stated(std::string_view column) const;

 private:
  LoggedRun& run_;
  std::vector<support::Problem>& problems_;
};

/// Half a unit of the last digit over the value: how far rounding may have moved a printed number.
double rounding_of(std::string_view text);

/// Without the commas between thousands.
std::string without_commas(std::string_view text);

/// `FILE:LINE`.
std::string line_of(const std::string& file, std::size_t line);

/// How a message about `text` ends: ", got" and `text`, shortened and in quotation marks.
std::string got(std::string_view text);

}  // namespace cubicbench::datasets
