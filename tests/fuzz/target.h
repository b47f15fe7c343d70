#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::fuzz {

/// How a part of an input is written, and so how it is changed.
enum class Form {
  json,   ///< one document
  lines,  ///< a JSON document a line
  table,  ///< CSV
  words   ///< text with names, numbers and operators
};

/// One text a part, in the order of the target's forms.
using Parts = std::vector<std::string>;

/// A place where the program reads what a stranger wrote.
struct Target {
  std::string_view name;
  std::vector<Form> forms;
  /// Inputs that are good, made from what ships: what fuzzing begins with.
  Parts (*seed)(std::size_t number);
  std::size_t seeds = 1;
  /// Reads the parts as the program does. Whatever they hold, it returns: what may not be ends the
  /// process by broken().
  void (*run)(const Parts& parts);
};

/// In the order of their names.
const std::vector<Target>& all_targets();

/// A name that is none ends the process.
const Target& target_named(std::string_view name);

/// An input is its parts with a line `%%` between any two. Missing parts are empty, and what is too
/// many belongs to the last.
Parts split(const Target& target, std::string_view input);
std::string joined(const Parts& parts);

/// A finding: says `what` and aborts.
[[noreturn]] void broken(std::string_view what);

}  // namespace cubicbench::fuzz
