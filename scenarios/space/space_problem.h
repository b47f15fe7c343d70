#pragma once

#include <string>

namespace cubicbench::scenarios {

/// What is wrong with a space, or with an assignment. `pointer` is a JSON pointer relative to what
/// was read ("" for all of it).
struct SpaceProblem {
  std::string pointer;
  std::string text;

  bool operator==(const SpaceProblem&) const = default;
};

}  // namespace cubicbench::scenarios
