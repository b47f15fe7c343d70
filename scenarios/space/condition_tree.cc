#include "scenarios/space/condition_tree.h"

#include <array>
#include <optional>
#include <utility>

#include "support/characters.h"

namespace cubicbench::scenarios {
namespace {

using Operation = ConditionOperation;

/// Bounds the recursion of parser and evaluation.
constexpr std::size_t text_max = 4096;
constexpr int nesting_max = 64;
constexpr std::size_t cost_max = 65'536;

std::string_view word_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() &&
         (is_condition_name_start(text[end]) || support::is_digit(text[end]))) {
    ++end;
  }
  return text.substr(0, end);
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

/// Recursive descent, one function a level of precedence, loosest first.
class ConditionParser {
 public:
  ConditionParser(std::string_view text, const ConditionOperands& operands)
      : text_(text), operands_(operands) {}

  std::vector<ConditionNode> parse() {
    if (text_.size() > text_max) {
      throw ConstraintError(text_max + 1,
                            "expected at most " + std::to_string(text_max) + " characters");
    }
    parse_or();
    skip_spaces();
    if (at_ < text_.size()) fail("expected an operator or the end");
    check_cost();
    return std::move(nodes_);
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
    const std::string expected = "expected " + operands_.expected + " or \"(\"";
    if (at_ == text_.size()) fail(expected + ", got the end");
    if (text_[at_] == '(') return parse_parentheses();
    if (!operands_.may_start(text_[at_])) fail(expected);
    return append(operands_.read(text_, at_));
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

  /// The middle of a chained comparison is evaluated twice, so nested chains could take 2^nesting.
  void check_cost() const {
    std::vector<std::size_t> cost;
    for (const ConditionNode& node : nodes_) {
      const bool leaf = node.operation == Operation::literal || node.operation == Operation::name;
      cost.push_back(leaf ? 1 : 1 + cost[node.left] + cost[node.right]);
      if (cost.back() > cost_max) {
        throw ConstraintError(1, "expected fewer comparisons inside comparisons");
      }
    }
  }

  Index append(Operation operation, Index left, Index right) {
    return append({.operation = operation, .left = left, .right = right});
  }

  Index append(const ConditionNode& node) {
    nodes_.push_back(node);
    return static_cast<Index>(nodes_.size() - 1);
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool take_word(std::string_view word) {
    skip_spaces();
    if (word_at(text_.substr(at_)) != word) return false;
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
    explicit Nested(ConditionParser& parser) : parser_(parser) {
      if (++parser_.nesting_ > nesting_max) {
        throw ConstraintError(parser_.at_ + 1, "expected at most " + std::to_string(nesting_max) +
                                                   " levels of nesting");
      }
    }
    ~Nested() { --parser_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    ConditionParser& parser_;
  };

  std::string_view text_;
  const ConditionOperands& operands_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  std::vector<ConditionNode> nodes_;
};

}  // namespace

std::vector<ConditionNode> parse_condition(std::string_view text,
                                           const ConditionOperands& operands) {
  return ConditionParser(text, operands).parse();
}

bool is_condition_name_start(char c) { return support::is_letter(c) || c == '_'; }

std::string_view condition_name_at(std::string_view text, std::size_t column,
                                   std::string_view expected) {
  const std::string_view name = word_at(text);
  if (name == "and" || name == "or" || name == "not") {
    throw ConstraintError(
        column, "expected " + std::string(expected) + " or \"(\", got " + std::string(name));
  }
  return name;
}

}  // namespace cubicbench::scenarios
