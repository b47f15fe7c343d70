#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "support/input_error.h"

namespace cubicbench::support {

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

}  // namespace cubicbench::support
