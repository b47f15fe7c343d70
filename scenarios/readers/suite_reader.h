#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cubicbench::scenarios {

/// One problem of a suite.
struct SuiteProblem {
  std::string scenario;     ///< a name, of a member of a family too, or a path
  std::int64_t trials = 0;  ///< launches a study

  bool operator==(const SuiteProblem&) const = default;
};

/// A named, versioned set of problems that users pin and that carries a score.
struct Suite {
  std::string name;
  std::string summary;
  std::int64_t score = 1;  ///< version of the score that is meant
  std::int64_t seeds = 1;
  std::vector<SuiteProblem> problems;
  /// In place of these where a salt is given: problems that nobody has seen before. May be empty.
  std::vector<SuiteProblem> sealed;

  bool operator==(const Suite&) const = default;
};

/// The version of the score that this program computes [docs/reference/search-folder.md].
inline constexpr std::int64_t score_version = 1;

/// Reads a suite by its name in the library, or by path when the text holds a '/'. Scenarios are
/// not looked up here; a path of one starts from the suite's folder. Throws InputError, at `where`
/// for an unknown name, with every problem found.
Suite read_suite(const std::string& name_or_path, const std::string& where);

}  // namespace cubicbench::scenarios
