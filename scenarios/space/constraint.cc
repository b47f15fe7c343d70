#include "scenarios/space/constraint.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "support/characters.h"
#include "support/parsed.h"
#include "support/suggestion.h"

namespace cubicbench::scenarios {
namespace {

using Operation = ConditionOperation;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();

bool divide_down(std::int64_t a, std::int64_t b, std::int64_t& quotient, std::int64_t& rest) {
  if (b == 0 || (a == int64_min && b == -1)) return false;
  quotient = a / b;
  rest = a % b;
  if (rest != 0 && (rest < 0) != (b < 0)) {
    --quotient;
    rest += b;
  }
  return true;
}

/// False on division by zero or overflow.
bool compute(Operation operation, std::int64_t a, std::int64_t b, std::int64_t& out) {
  std::int64_t unused = 0;
  const auto is = [&](bool truth) {
    out = truth;
    return true;
  };
  switch (operation) {
    case Operation::add:
      return !__builtin_add_overflow(a, b, &out);
    case Operation::subtract:
      return !__builtin_sub_overflow(a, b, &out);
    case Operation::multiply:
      return !__builtin_mul_overflow(a, b, &out);
    case Operation::divide:
      return divide_down(a, b, out, unused);
    case Operation::remainder:
      return divide_down(a, b, unused, out);
    case Operation::equal:
      return is(a == b);
    case Operation::not_equal:
      return is(a != b);
    case Operation::less:
      return is(a < b);
    case Operation::less_equal:
      return is(a <= b);
    case Operation::greater:
      return is(a > b);
    case Operation::greater_equal:
      return is(a >= b);
    default:
      return false;
  }
}

/// Reads integers, and names as their position in `names`.
class ExpressionOperands {
 public:
  explicit ExpressionOperands(std::span<const std::string_view> names) : names_(names) {}

  ConditionOperands reader() {
    return {.expected = std::string(expected),
            .may_start = [](char c) { return support::is_digit(c) || is_condition_name_start(c); },
            .read =
                [this](std::string_view text, std::size_t& at) {
                  return support::is_digit(text[at]) ? literal(text, at) : name(text, at);
                }};
  }

  /// Positions that were read, ascending, each once.
  std::vector<std::size_t> slots_read;

 private:
  static constexpr std::string_view expected = "a number, a name";

  static ConditionNode literal(std::string_view text, std::size_t& at) {
    const std::size_t begin = at;
    while (at < text.size() && (support::is_digit(text[at]) || is_condition_name_start(text[at]))) {
      ++at;
    }
    if (at < text.size() && text[at] == '.') {
      throw ConstraintError(at + 1, "expected integers only, got \".\"");
    }
    const std::string_view digits = text.substr(begin, at - begin);
    const auto value = support::parsed<std::int64_t>(digits);
    if (!value) {
      throw ConstraintError(begin + 1, "expected an integer in [0, " + std::to_string(int64_max) +
                                           "], got " + std::string(digits));
    }
    return {.operation = Operation::literal, .value = *value};
  }

  ConditionNode name(std::string_view text, std::size_t& at) {
    const std::size_t column = at + 1;
    const std::string_view name = condition_name_at(text.substr(at), column, expected);
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) {
      throw ConstraintError(column, "unknown name \"" + std::string(name) + "\"" +
                                        support::did_you_mean(name, names_));
    }
    at += name.size();
    const auto slot = static_cast<std::size_t>(found - names_.begin());
    note_slot(slot);
    return {.operation = Operation::name, .value = static_cast<std::int64_t>(slot)};
  }

  void note_slot(std::size_t slot) {
    const auto place = std::lower_bound(slots_read.begin(), slots_read.end(), slot);
    if (place == slots_read.end() || *place != slot) slots_read.insert(place, slot);
  }

  std::span<const std::string_view> names_;
};

}  // namespace

Expression Expression::parse(std::string_view text, std::span<const std::string_view> names) {
  ExpressionOperands operands(names);
  Expression expression;
  expression.nodes_ = parse_condition(text, operands.reader());
  expression.slots_read_ = std::move(operands.slots_read);
  expression.text_ = text;
  return expression;
}

bool Expression::evaluate(std::span<const std::int64_t> slots) const {
  std::int64_t result = 0;
  const auto root = static_cast<std::uint32_t>(nodes_.size() - 1);
  return value_of(root, slots, result) && result != 0;
}

bool Expression::value_of(std::uint32_t index, std::span<const std::int64_t> slots,
                          std::int64_t& out) const {
  const ConditionNode& node = nodes_[index];
  std::int64_t left = 0;
  std::int64_t right = 0;
  switch (node.operation) {
    case Operation::literal:
      out = node.value;
      return true;
    case Operation::name:
      out = slots[static_cast<std::size_t>(node.value)];
      return true;
    case Operation::negate:
      return value_of(node.left, slots, left) && compute(Operation::subtract, 0, left, out);
    case Operation::logical_not:
      if (!value_of(node.left, slots, left)) return false;
      out = left == 0;
      return true;
    case Operation::logical_and:
    case Operation::logical_or: {
      if (!value_of(node.left, slots, left)) return false;
      out = left != 0;
      if ((out != 0) == (node.operation == Operation::logical_or)) return true;
      if (!value_of(node.right, slots, right)) return false;
      out = right != 0;
      return true;
    }
    default:
      return value_of(node.left, slots, left) && value_of(node.right, slots, right) &&
             compute(node.operation, left, right, out);
  }
}

}  // namespace cubicbench::scenarios
