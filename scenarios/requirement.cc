#include "scenarios/requirement.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "support/characters.h"
#include "support/input_error.h"
#include "support/json/canonical.h"
#include "support/parsed.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;
using Operation = ConditionOperation;

constexpr std::string_view expected = "a number, a name, a path in quotes";

bool starts_number(char c) { return support::is_digit(c) || c == '.'; }

/// Reads numbers, names and quoted paths, and keeps them.
struct RequirementOperands {
  std::vector<double> numbers;
  std::vector<std::string> paths;
  std::vector<std::string> shown;

  ConditionOperands reader() {
    return {.expected = std::string(expected),
            .may_start =
                [](char c) { return starts_number(c) || is_condition_name_start(c) || c == '"'; },
            .read =
                [this](std::string_view text, std::size_t& at) {
                  if (starts_number(text[at])) return number(text, at);
                  return text[at] == '"' ? quoted_path(text, at) : name(text, at);
                }};
  }

  ConditionNode number(std::string_view text, std::size_t& at) {
    const char* const begin = text.data() + at;
    const char* const end = text.data() + text.size();
    double value = 0.0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    const bool goes_on = stop != end && (starts_number(*stop) || is_condition_name_start(*stop));
    if (error != std::errc{} || goes_on) {
      throw ConstraintError(at + 1, "expected a decimal number, got " + word_like(text.substr(at)));
    }
    at += static_cast<std::size_t>(stop - begin);
    numbers.push_back(value);
    return {.operation = Operation::literal,
            .value = static_cast<std::int64_t>(numbers.size() - 1)};
  }

  ConditionNode name(std::string_view text, std::size_t& at) {
    const std::string_view word = condition_name_at(text.substr(at), at + 1, expected);
    at += word.size();
    return path(word, word);
  }

  ConditionNode quoted_path(std::string_view text, std::size_t& at) {
    const std::size_t close = text.find('"', at + 1);
    if (close == std::string_view::npos) {
      throw ConstraintError(at + 1, "expected a closing quote, got the end");
    }
    const std::size_t begin = at;
    at = close + 1;
    if (at - begin == 2) throw ConstraintError(begin + 1, "expected a path in the quotes");
    return path(text.substr(begin + 1, close - begin - 1), text.substr(begin, at - begin));
  }

  ConditionNode path(std::string_view path, std::string_view written) {
    const auto found = std::ranges::find(paths, path);
    const auto place = static_cast<std::int64_t>(found - paths.begin());
    if (found == paths.end()) {
      paths.emplace_back(path);
      shown.emplace_back(written);
    }
    return {.operation = Operation::name, .value = place};
  }

  /// What somebody took for a number, up to where an operator might start.
  static std::string word_like(std::string_view text) {
    const auto end = std::ranges::find_if(
        text, [](char c) { return !starts_number(c) && !is_condition_name_start(c); });
    return support::shortened(text.substr(0, static_cast<std::size_t>(end - text.begin())));
  }
};

/// The member of that name or, of an array, of that number; null where there is none.
const Json* child_of(const Json& parent, std::string_view key) {
  if (parent.is_object()) {
    const auto found = parent.find(key);
    return found == parent.end() ? nullptr : &*found;
  }
  const auto place = support::parsed<std::size_t>(key);
  return parent.is_array() && place && *place < parent.size() ? &parent[*place] : nullptr;
}

/// Where `path` leads from `from`: over the longest first key from which the rest leads on.
const Json* follow(const Json& from, std::string_view path) {
  for (std::size_t end = path.size(); end != std::string_view::npos;
       end = end == 0 ? std::string_view::npos : path.rfind('.', end - 1)) {
    const Json* const child = child_of(from, path.substr(0, end));
    if (child == nullptr) continue;
    if (end == path.size()) return child;
    if (const Json* const found = follow(*child, path.substr(end + 1))) return found;
  }
  return nullptr;
}

const Json* find_path(const Json& document, std::string_view path) {
  if (const Json* const found = follow(document, path)) return found;
  const Json* const summary = child_of(document, "summary");
  return summary == nullptr ? nullptr : follow(*summary, path);
}

std::optional<double> number_at(const Json& document, std::string_view path) {
  const Json* const found = find_path(document, path);
  if (found == nullptr) return std::nullopt;
  if (found->is_boolean()) return found->get<bool>() ? 1.0 : 0.0;
  if (!found->is_number()) return std::nullopt;
  return found->get<double>();
}

/// Nothing where the result is no finite number.
std::optional<double> compute(Operation operation, double a, double b) {
  const auto finite = [](double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  };
  switch (operation) {
    case Operation::add:
      return finite(a + b);
    case Operation::subtract:
      return finite(a - b);
    case Operation::multiply:
      return finite(a * b);
    case Operation::divide:
      return finite(a / b);
    case Operation::remainder: {
      const double rest = std::fmod(a, b);
      return finite(rest != 0.0 && (rest < 0.0) != (b < 0.0) ? rest + b : rest);
    }
    case Operation::equal:
      return a == b ? 1.0 : 0.0;
    case Operation::not_equal:
      return a != b ? 1.0 : 0.0;
    case Operation::less:
      return a < b ? 1.0 : 0.0;
    case Operation::less_equal:
      return a <= b ? 1.0 : 0.0;
    case Operation::greater:
      return a > b ? 1.0 : 0.0;
    case Operation::greater_equal:
      return a >= b ? 1.0 : 0.0;
    default:
      return std::nullopt;
  }
}

/// A condition's tree with the numbers of one document.
struct Evaluation {
  std::span<const ConditionNode> nodes;
  std::span<const double> numbers;
  std::span<const std::optional<double>> found;  ///< of the paths

  /// Nothing where the value hangs on what is not there.
  std::optional<double> value_of(std::uint32_t index) const {
    const ConditionNode& node = nodes[index];
    switch (node.operation) {
      case Operation::literal:
        return numbers[static_cast<std::size_t>(node.value)];
      case Operation::name:
        return found[static_cast<std::size_t>(node.value)];
      case Operation::logical_and:
      case Operation::logical_or:
        return logical(node);
      default:
        break;
    }
    const std::optional<double> left = value_of(node.left);
    if (!left) return std::nullopt;
    if (node.operation == Operation::negate) return -*left;
    if (node.operation == Operation::logical_not) return *left == 0.0 ? 1.0 : 0.0;
    const std::optional<double> right = value_of(node.right);
    return right ? compute(node.operation, *left, *right) : std::nullopt;
  }

  std::optional<double> logical(const ConditionNode& node) const {
    const std::optional<double> left = value_of(node.left);
    if (!left) return std::nullopt;
    const bool decided = (*left != 0.0) == (node.operation == Operation::logical_or);
    const std::optional<double> last = decided ? left : value_of(node.right);
    return last ? std::optional(*last != 0.0 ? 1.0 : 0.0) : std::nullopt;
  }
};

std::string value_text(const Json* value) {
  if (value == nullptr) return "is not there";
  if (value->is_null()) return "is null";
  if (value->is_boolean()) return value->get<bool>() ? "is true" : "is false";
  return value->is_number() ? "is " + support::canonical(*value) : "is no number";
}

}  // namespace

Requirement Requirement::parse(std::string_view text) {
  RequirementOperands operands;
  Requirement requirement;
  requirement.nodes_ = parse_condition(text, operands.reader());
  requirement.text_ = text;
  requirement.numbers_ = std::move(operands.numbers);
  requirement.paths_ = std::move(operands.paths);
  requirement.shown_ = std::move(operands.shown);
  return requirement;
}

bool Requirement::holds(const Json& document) const {
  std::vector<std::optional<double>> found;
  for (const std::string& path : paths_) found.push_back(number_at(document, path));
  const Evaluation evaluation{.nodes = nodes_, .numbers = numbers_, .found = found};
  const auto root = static_cast<std::uint32_t>(nodes_.size() - 1);
  return evaluation.value_of(root).value_or(0.0) != 0.0;
}

std::string Requirement::values_text(const Json& document) const {
  std::string text;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    text +=
        (text.empty() ? "" : "; ") + shown_[i] + " " + value_text(find_path(document, paths_[i]));
  }
  return text;
}

}  // namespace cubicbench::scenarios
