#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/space/condition_tree.h"

namespace cubicbench::scenarios {

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
  /// Reads `text`; a name's slot is its position in `names`. Throws ConstraintError.
  static Expression parse(std::string_view text, std::span<const std::string_view> names);

  /// Is it true when name i has the value slots[i]? Allocates nothing.
  bool evaluate(std::span<const std::int64_t> slots) const;

  /// Slots that the expression reads, ascending, each once.
  const std::vector<std::size_t>& slots_read() const { return slots_read_; }

  const std::string& text() const { return text_; }

 private:
  bool value_of(std::uint32_t index, std::span<const std::int64_t> slots, std::int64_t& out) const;

  std::string text_;
  std::vector<ConditionNode> nodes_;  ///< operands before operators; the last one is the root
  std::vector<std::size_t> slots_read_;
};

}  // namespace cubicbench::scenarios
