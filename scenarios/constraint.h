#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

/// A condition over 64-bit integers: literals, names, + - * / %, comparisons (which chain, as in
/// 1 <= a <= 4), `and or not` and parentheses, with Python's precedence.
///
/// / rounds down and % has the divisor's sign, as Python's // and %. Truth is "not zero", and a
/// truth value is 0 or 1. `and` and `or` do not evaluate what cannot matter. A division by zero or
/// an overflow that is reached makes the whole expression false, under `not` too.
///
/// A value: copyable, immutable, free to share among threads.
class Expression {
 public:
  enum class Operation : std::uint8_t {
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

  /// Reads `text`; a name's slot is its position in `names`. Throws ConstraintError.
  static Expression parse(std::string_view text, std::span<const std::string_view> names);

  /// Is it true when name i has the value slots[i]? Allocates nothing.
  bool evaluate(std::span<const std::int64_t> slots) const;

  /// Slots that the expression reads, ascending, each once.
  const std::vector<std::size_t>& slots_read() const { return slots_read_; }

  const std::string& text() const { return text_; }

 private:
  friend class ExpressionParser;

  struct Node {
    Operation operation = Operation::literal;
    std::uint32_t left = 0;  ///< index of the operand, or of the only one
    std::uint32_t right = 0;
    std::int64_t value = 0;  ///< of a literal; slot of a name
  };

  bool value_of(std::uint32_t index, std::span<const std::int64_t> slots, std::int64_t& out) const;

  std::string text_;
  std::vector<Node> nodes_;  ///< operands before operators; the last one is the root
  std::vector<std::size_t> slots_read_;
};

}  // namespace cubicbench::scenarios
