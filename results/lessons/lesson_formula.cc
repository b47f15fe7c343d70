#include "results/lessons/lesson_formula.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "support/input_error.h"
#include "support/parsed.h"
#include "support/suggestion.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;
using support::InputError;

/// Keys of what an element of an array is called.
constexpr std::array<const char*, 4> naming{"name", "id", "searcher", "predictor"};

bool is_called(const Json& item, std::string_view key) {
  for (const char* const named : naming) {
    const auto found = item.is_object() ? item.find(named) : item.end();
    if (found != item.end() && found->is_string() && found->get<std::string>() == key) return true;
  }
  return false;
}

const Json* child_of(const Json& parent, std::string_view key) {
  if (parent.is_object()) {
    const auto found = parent.find(key);
    return found == parent.end() ? nullptr : &*found;
  }
  if (!parent.is_array()) return nullptr;
  for (const Json& item : parent) {
    if (is_called(item, key)) return &item;
  }
  const auto place = support::parsed<std::size_t>(key);
  return place && *place < parent.size() ? &parent[*place] : nullptr;
}

std::vector<std::string> names_in(const Json& parent) {
  std::vector<std::string> names;
  if (parent.is_object()) {
    for (const auto& [key, value] : parent.items()) names.push_back(key);
  }
  if (!parent.is_array()) return names;
  for (const Json& item : parent) {
    for (const char* const named : naming) {
      if (item.is_object() && item.contains(named) && item[named].is_string()) {
        names.push_back(item[named].get<std::string>());
      }
    }
  }
  return names;
}

/// Words between spaces; brackets are words of their own.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool goes_on = false;
  for (const char c : text) {
    if (c == ' ') {
      goes_on = false;
    } else if (c == '(' || c == ')') {
      words.emplace_back(1, c);
      goes_on = false;
    } else {
      if (!goes_on) words.emplace_back();
      words.back() += c;
      goes_on = true;
    }
  }
  return words;
}

/// Reads a formula from left to right.
class Reading {
 public:
  Reading(const Json& answers, std::string_view formula, const std::string& where)
      : answers_(answers), formula_(formula), words_(words_of(formula)), where_(where) {}

  double whole() {
    const double value = sum();
    if (at_ < words_.size()) refuse("expected an operator before \"" + words_[at_] + "\"");
    return value;
  }

 private:
  [[noreturn]] void refuse(const std::string& text) const {
    throw InputError(where_, text + " in {" + std::string(formula_) + "}");
  }

  bool take(std::string_view word) {
    if (at_ == words_.size() || words_[at_] != word) return false;
    ++at_;
    return true;
  }

  double sum() {
    double value = product();
    while (true) {
      if (take("+")) {
        value += product();
      } else if (take("-")) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  double product() {
    double value = power();
    while (true) {
      if (take("*")) {
        value *= power();
      } else if (take("/")) {
        const double divisor = power();
        if (divisor == 0.0) refuse("a division by zero");
        value /= divisor;
      } else {
        return value;
      }
    }
  }

  /// Whole exponents alone: the same bits on every machine.
  double power() {
    const double base = operand();
    if (!take("^")) return base;
    constexpr int most = 100'000;
    const double exponent = operand();
    if (exponent < 0.0 || exponent > most || exponent != static_cast<int>(exponent)) {
      refuse("expected a whole exponent from 0 to " + std::to_string(most));
    }
    double value = 1.0;
    for (int i = 0; i < static_cast<int>(exponent); ++i) value *= base;
    return value;
  }

  double operand() {
    if (take("(")) {
      const double value = sum();
      if (!take(")")) refuse("expected a closing bracket");
      return value;
    }
    if (at_ == words_.size()) refuse("expected a number or a path at the end");
    const std::string& word = words_[at_++];
    if (const auto number = support::parsed<double>(word)) return *number;
    const Json& value = value_at(answers_, word, where_);
    if (!value.is_number()) refuse("expected a number at " + word);
    return value.get<double>();
  }

  const Json& answers_;
  std::string_view formula_;
  std::vector<std::string> words_;
  std::string where_;
  std::size_t at_ = 0;
};

}  // namespace

const Json& value_at(const Json& answers, std::string_view path, const std::string& where) {
  const Json* here = &answers;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string_view key = path.substr(begin, end - begin);
    const Json* const child = child_of(*here, key);
    if (child == nullptr) {
      throw InputError(where, "no " + support::in_quotes(key) + " in {" + std::string(path) + "}" +
                                  support::did_you_mean(key, names_in(*here)));
    }
    here = child;
    begin = end + 1;
  }
  return *here;
}

double formula_value(const Json& answers, std::string_view formula, const std::string& where) {
  return Reading(answers, formula, where).whole();
}

}  // namespace cubicbench::results
