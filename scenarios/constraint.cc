#include "scenarios/constraint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "scenarios/suggestion.h"

namespace cubicbench::scenarios {
namespace {

using Operation = Expression::Operation;

/// Bounds the recursion of parser and evaluation.
constexpr std::size_t text_max = 4096;
constexpr int nesting_max = 64;
constexpr std::size_t cost_max = 65'536;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

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
      out = a == b;
      return true;
    case Operation::not_equal:
      out = a != b;
      return true;
    case Operation::less:
      out = a < b;
      return true;
    case Operation::less_equal:
      out = a <= b;
      return true;
    case Operation::greater:
      out = a > b;
      return true;
    case Operation::greater_equal:
      out = a >= b;
      return true;
    default:
      return false;
  }
}

struct Symbol {
  std::string_view text;
  Operation operation;
};

// Two-character symbols stand first, so that "<=" is not read as "<".
constexpr std::array<Symbol, 6> comparisons{{{"==", Operation::equal},
                                             {"!=", Operation::not_equal},
                                             {"<=", Operation::less_equal},
                                             {">=", Operation::greater_equal},
                                             {"<", Operation::less},
                                             {">", Operation::greater}}};
constexpr std::array<Symbol, 2> sums{{{"+", Operation::add}, {"-", Operation::subtract}}};
constexpr std::array<Symbol, 3> products{
    {{"*", Operation::multiply}, {"/", Operation::divide}, {"%", Operation::remainder}}};

}  // namespace

/// Recursive descent, one function a level of precedence, loosest first.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, std::span<const std::string_view> names)
      : text_(text), names_(names) {}

  Expression parse() {
    if (text_.size() > text_max) {
      throw ConstraintError(text_max + 1,
                            "expected at most " + std::to_string(text_max) + " characters");
    }
    parse_or();
    skip_spaces();
    if (at_ < text_.size()) fail("expected an operator or the end");
    check_cost();
    expression_.text_ = text_;
    return std::move(expression_);
  }

 private:
  using Index = std::uint32_t;

  Index parse_or() {
    Index left = parse_and();
    while (take_word("or")) left = append(Operation::logical_or, left, parse_and());
    return left;
  }

  Index parse_and() {
    Index left = parse_not();
    while (take_word("and")) left = append(Operation::logical_and, left, parse_not());
    return left;
  }

  Index parse_not() {
    if (!take_word("not")) return parse_comparison();
    const Nested nested(*this);
    return append(Operation::logical_not, parse_not(), 0);
  }

  /// a < b <= c means a < b and b <= c.
  Index parse_comparison() {
    Index left = parse_sum();
    std::optional<Index> chain;
    while (const auto operation = take_symbol(comparisons)) {
      const Index right = parse_sum();
      const Index link = append(*operation, left, right);
      chain = chain ? append(Operation::logical_and, *chain, link) : link;
      left = right;
    }
    return chain.value_or(left);
  }

  Index parse_sum() {
    Index left = parse_product();
    while (const auto operation = take_symbol(sums)) {
      left = append(*operation, left, parse_product());
    }
    return left;
  }

  Index parse_product() {
    Index left = parse_unary();
    while (const auto operation = take_symbol(products)) {
      left = append(*operation, left, parse_unary());
    }
    return left;
  }

  Index parse_unary() {
    const auto sign = take_symbol(sums);
    if (!sign) return parse_operand();
    const Nested nested(*this);
    const Index operand = parse_unary();
    return *sign == Operation::subtract ? append(Operation::negate, operand, 0) : operand;
  }

  Index parse_operand() {
    skip_spaces();
    if (at_ == text_.size()) fail("expected a number, a name or \"(\", got the end");
    const char next = text_[at_];
    if (next == '(') return parse_parentheses();
    if (is_digit(next)) return parse_literal();
    if (is_name_start(next)) return parse_name();
    fail("expected a number, a name or \"(\"");
  }

  Index parse_parentheses() {
    const Nested nested(*this);
    ++at_;
    const Index inside = parse_or();
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != ')') fail("expected \")\"");
    ++at_;
    return inside;
  }

  Index parse_literal() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || is_name_start(text_[at_]))) ++at_;
    if (at_ < text_.size() && text_[at_] == '.') fail("expected integers only");
    std::int64_t value = 0;
    const char* const end = text_.data() + at_;
    const auto [stop, error] = std::from_chars(text_.data() + begin, end, value);
    if (error != std::errc{} || stop != end) {
      throw ConstraintError(begin + 1, "expected an integer in [0, " + std::to_string(int64_max) +
                                           "], got " + std::string(text_, begin, at_ - begin));
    }
    return append_value(Operation::literal, value);
  }

  Index parse_name() {
    const std::size_t begin = at_;
    const std::string_view name = word_at(at_);
    at_ += name.size();
    if (name == "and" || name == "or" || name == "not") {
      throw ConstraintError(begin + 1,
                            "expected a number, a name or \"(\", got " + std::string(name));
    }
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) {
      throw ConstraintError(
          begin + 1, "unknown name \"" + std::string(name) + "\"" + did_you_mean(name, names_));
    }
    const auto slot = static_cast<std::size_t>(found - names_.begin());
    note_slot(slot);
    return append_value(Operation::name, static_cast<std::int64_t>(slot));
  }

  void note_slot(std::size_t slot) {
    auto& slots = expression_.slots_read_;
    const auto place = std::lower_bound(slots.begin(), slots.end(), slot);
    if (place == slots.end() || *place != slot) slots.insert(place, slot);
  }

  /// The middle of a chained comparison is evaluated twice, so nested chains could take 2^nesting.
  void check_cost() const {
    std::vector<std::size_t> cost;
    for (const Expression::Node& node : expression_.nodes_) {
      const bool leaf = node.operation == Operation::literal || node.operation == Operation::name;
      cost.push_back(leaf ? 1 : 1 + cost[node.left] + cost[node.right]);
      if (cost.back() > cost_max) {
        throw ConstraintError(1, "expected fewer comparisons inside comparisons");
      }
    }
  }

  Index append(Operation operation, Index left, Index right) {
    expression_.nodes_.push_back({.operation = operation, .left = left, .right = right});
    return static_cast<Index>(expression_.nodes_.size() - 1);
  }

  Index append_value(Operation operation, std::int64_t value) {
    expression_.nodes_.push_back({.operation = operation, .value = value});
    return static_cast<Index>(expression_.nodes_.size() - 1);
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  std::string_view word_at(std::size_t begin) const {
    std::size_t end = begin;
    while (end < text_.size() && (is_name_start(text_[end]) || is_digit(text_[end]))) ++end;
    return text_.substr(begin, end - begin);
  }

  bool take_word(std::string_view word) {
    skip_spaces();
    if (word_at(at_) != word) return false;
    at_ += word.size();
    return true;
  }

  template <std::size_t size>
  std::optional<Operation> take_symbol(const std::array<Symbol, size>& symbols) {
    skip_spaces();
    for (const Symbol& symbol : symbols) {
      if (text_.substr(at_).starts_with(symbol.text)) {
        at_ += symbol.text.size();
        return symbol.operation;
      }
    }
    return std::nullopt;
  }

  [[noreturn]] void fail(const std::string& text) const {
    const std::string got =
        at_ < text_.size() ? ", got \"" + std::string(1, text_[at_]) + "\"" : std::string();
    throw ConstraintError(at_ + 1, text + got);
  }

  /// Counts one level of nesting as long as it lives.
  class Nested {
   public:
    explicit Nested(ExpressionParser& parser) : parser_(parser) {
      if (++parser_.nesting_ > nesting_max) {
        throw ConstraintError(parser_.at_ + 1, "expected at most " + std::to_string(nesting_max) +
                                                   " levels of nesting");
      }
    }
    ~Nested() { --parser_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    ExpressionParser& parser_;
  };

  std::string_view text_;
  std::span<const std::string_view> names_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  Expression expression_;
};

Expression Expression::parse(std::string_view text, std::span<const std::string_view> names) {
  return ExpressionParser(text, names).parse();
}

bool Expression::evaluate(std::span<const std::int64_t> slots) const {
  std::int64_t result = 0;
  const auto root = static_cast<std::uint32_t>(nodes_.size() - 1);
  return value_of(root, slots, result) && result != 0;
}

bool Expression::value_of(std::uint32_t index, std::span<const std::int64_t> slots,
                          std::int64_t& out) const {
  const Node& node = nodes_[index];
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
