#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::scenarios {

/// An expression that cannot be read; `column` counts from 1.
class ConstraintError : public std::runtime_error {
 public:
  ConstraintError(std::size_t at, const std::string& text)
      : std::runtime_error("column " + std::to_string(at) + ": " + text), column(at) {}

  std::size_t column;
};

enum class ConditionOperation : std::uint8_t {
  literal,
  name,
  negate,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  logical_not
};

/// An operator with the nodes of its operands, or an operand with what its reader made of it.
struct ConditionNode {
  ConditionOperation operation = ConditionOperation::literal;
  std::uint32_t left = 0;  ///< index of the operand, or of the only one
  std::uint32_t right = 0;
  std::int64_t value = 0;  ///< of a literal and of a name: its reader's
};

/// How one language writes its operands: numbers, names.
struct ConditionOperands {
  std::string expected;                 ///< "a number, a name", as messages list them
  std::function<bool(char)> may_start;  ///< may an operand start with this character?
  /// Reads the operand that starts at `at` and moves `at` behind it. Throws ConstraintError.
  std::function<ConditionNode(std::string_view text, std::size_t& at)> read;
};

/// The operators that constraints and requirements share: + - * / %, comparisons (which chain, as
/// in 1 <= a <= 4), `and or not` and parentheses, with Python's precedence. Returns operands before
/// operators; the last node is the root. Throws ConstraintError.
std::vector<ConditionNode> parse_condition(std::string_view text,
                                           const ConditionOperands& operands);

/// Is it a character that a name starts with?
bool is_condition_name_start(char c);

/// The name at the start of `text`: letters, digits and underscores. Throws ConstraintError at
/// `column`, with `expected` as operands have it, for a word of the language.
std::string_view condition_name_at(std::string_view text, std::size_t column,
                                   std::string_view expected);

}  // namespace cubicbench::scenarios
