#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/text_files.h"

namespace cubicbench {

/// The part of a version that a change of any golden value raises: "0.1" of "0.1.7", and from 1.0
/// on the major number alone, "2" of "2.3.1".
inline std::string golden_part(std::string_view version) {
  const std::size_t major_end = version.find('.');
  const std::string_view major = version.substr(0, major_end);
  if (major != "0") return std::string(major);
  return std::string(version.substr(0, version.find('.', major_end + 1)));
}

/// The first line that differs, with both texts of it. Requires texts of which some line differs.
inline std::string first_difference(const std::string& golden, const std::string& now) {
  std::istringstream golden_lines(golden);
  std::istringstream now_lines(now);
  std::string one;
  std::string other;
  for (int number = 1;; ++number) {
    const bool has_one = static_cast<bool>(std::getline(golden_lines, one));
    const bool has_other = static_cast<bool>(std::getline(now_lines, other));
    if (has_one && has_other && one == other) continue;
    return "\nline " + std::to_string(number) + "\n  golden: " + (has_one ? one : "the end") +
           "\n  now: " + (has_other ? other : "the end");
  }
}

/// A folder of golden files, `VERSION` among them: the version of the project that made them.
struct Goldens {
  std::filesystem::path folder = std::filesystem::path(CUBICBENCH_SOURCE_DIR) / "tests" / "golden";
  std::string version = CUBICBENCH_VERSION;  ///< of the project
  bool update = std::getenv("UPDATE_GOLDEN") != nullptr;
  bool values = true;  ///< false of pages that only show values: they change in any version

  std::string made_by() const {
    const std::string text = read_text(folder / "VERSION");
    return text.substr(0, text.find('\n'));
  }

  bool may_change() const { return !values || golden_part(version) != golden_part(made_by()); }

  /// What is wrong with golden `name`, whose text is `now`; "" when nothing is. An update writes a
  /// golden that is missing, and one that differs only after the version was raised.
  std::string problem_of(const std::string& name, std::string_view now) const {
    const std::filesystem::path path = folder / name;
    const bool missing = !std::filesystem::exists(path);
    if (!missing && read_text(path) == now) return "";
    if (update && (missing || may_change())) {
      write_text(path, now);
      return "";
    }
    if (missing) return name + " is missing; UPDATE_GOLDEN=1 writes it";
    if (may_change()) return name + " differs; UPDATE_GOLDEN=1 rewrites it";
    return name + " differs and the version does not: a change of a golden raises the project's " +
           "minor version (CMakeLists.txt), now " + version + " as when the goldens were made" +
           (update ? "; not rewritten" : "");
  }
};

/// Expects `now` to be the text of tests/golden/`name` [CONTRIBUTING.md, Versions and goldens].
inline void expect_golden(const std::string& name, const std::string& now,
                          const Goldens& goldens = {}) {
  const std::string problem = goldens.problem_of(name, now);
  if (problem.empty()) return;
  const bool missing = !std::filesystem::exists(goldens.folder / name);
  ADD_FAILURE() << problem
                << (missing ? "" : first_difference(read_text(goldens.folder / name), now));
}

/// The same of a page, whose layout may change in any version.
inline void expect_golden_page(const std::string& name, const std::string& now) {
  expect_golden(name, now, {.values = false});
}

}  // namespace cubicbench
