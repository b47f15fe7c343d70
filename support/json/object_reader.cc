#include "support/json/object_reader.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "support/joined.h"
#include "support/json/canonical.h"
#include "support/magnitude.h"
#include "support/suggestion.h"

namespace cubicbench::support {
namespace {

using Json = nlohmann::ordered_json;

/// More text than a message shows; whatever is appended after it would be cut off.
constexpr std::size_t shown_bytes_max = 400;

/// Compact JSON of `value`, given up once `out` is long enough: a message about a document of
/// megabytes costs no more than one about a number.
void append_shown(std::string& out, const Json& value) {
  if (out.size() > shown_bytes_max) return;
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    out += json_string(std::string_view(text).substr(0, shown_bytes_max));
  } else if (value.is_number_float()) {
    std::string number = shortest(value.get<double>());
    // 4.0 is not what `expected an integer` asked for, and "4" would not tell why.
    if (number.find_first_of(".en") == std::string::npos) number += ".0";
    out += number;
  } else if (value.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < value.size() && out.size() <= shown_bytes_max; ++i) {
      if (i > 0) out += ',';
      append_shown(out, value[i]);
    }
    out += ']';
  } else if (value.is_object()) {
    out += '{';
    bool first = true;
    for (const auto& [key, member] : value.get_ref<const Json::object_t&>()) {
      if (out.size() > shown_bytes_max) break;
      if (!first) out += ',';
      first = false;
      out += json_string(std::string_view(key).substr(0, shown_bytes_max)) + ':';
      append_shown(out, member);
    }
    out += '}';
  } else {
    out += canonical(value);
  }
}

std::string got(const Json& value) { return ", got " + shown(value); }

/// What to write for a text that should be an integer.
std::string as_integer_in(const Json& value) {
  return value.is_string() ? as_integer(value.get_ref<const std::string&>()) : "";
}

std::string range(std::string_view noun, const std::string& min, const std::string& max,
                  bool open = false) {
  std::string text(noun);
  if (!min.empty() && !max.empty())
    return text + (open ? " in (" : " in [") + min + ", " + max + "]";
  if (!min.empty()) return text + (open ? " > " : " >= ") + min;
  if (!max.empty()) return text + " <= " + max;
  return text;
}

/// The integer that `value` is, if it is one and lies in [min, max].
std::optional<std::int64_t> integer_in(const Json& value, std::int64_t min, std::int64_t max) {
  if (!value.is_number_integer()) return std::nullopt;  // true of unsigned ones as well
  if (value.is_number_unsigned() && !std::in_range<std::int64_t>(value.get<std::uint64_t>())) {
    return std::nullopt;
  }
  const auto number = value.get<std::int64_t>();
  if (number < min || number > max) return std::nullopt;
  return number;
}

std::optional<double> number_in(const Json& value, double min, double max) {
  if (!value.is_number()) return std::nullopt;
  const auto number = value.get<double>();
  if (!(number >= min && number <= max)) return std::nullopt;
  return number;
}

std::optional<std::size_t> choice_in(const Json& value, std::span<const std::string_view> choices) {
  if (!value.is_string()) return std::nullopt;
  const auto found = std::ranges::find(choices, value.get_ref<const std::string&>());
  if (found == choices.end()) return std::nullopt;
  return static_cast<std::size_t>(found - choices.begin());
}

}  // namespace

// What is expected -----------------------------------------------------------------------------

std::string pointer_token(std::string_view key) {
  std::string token;
  for (const char c : shortened(key)) {
    token += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  }
  return token;
}

std::string shown(const Json& value) {
  std::string out;
  append_shown(out, value);
  return shortened(out);
}

std::string expected_integer(std::int64_t min, std::int64_t max) {
  using Limits = std::numeric_limits<std::int64_t>;
  return range("an integer", min == Limits::min() ? "" : std::to_string(min),
               max == Limits::max() ? "" : std::to_string(max));
}

std::string expected_number(double min, double max) {
  const bool open = min == above_zero;
  return range("a number", std::isfinite(min) ? shortest(open ? 0.0 : min) : "",
               std::isfinite(max) ? shortest(max) : "", open);
}

std::string expected_choice(std::span<const std::string_view> choices) {
  if (choices.size() == 1) return json_string(choices.front());
  return "one of " + joined(choices, ", ");
}

// ValueReader ----------------------------------------------------------------------------------

ValueReader::ValueReader(const Json* value, std::string file, std::string pointer,
                         std::vector<Problem>& problems)
    : value_(value), file_(std::move(file)), pointer_(std::move(pointer)), problems_(&problems) {}

std::int64_t ValueReader::integer(std::int64_t min, std::int64_t max) const {
  if (value_ == nullptr) return min;
  const auto number = integer_in(*value_, min, max);
  if (!number)
    problem("expected " + expected_integer(min, max) + got(*value_) + as_integer_in(*value_));
  return number.value_or(min);
}

double ValueReader::number(double min, double max) const {
  const double otherwise = std::isfinite(min) ? min : 0.0;
  if (value_ == nullptr) return otherwise;
  const auto number = number_in(*value_, min, max);
  if (number && is_of_readable_magnitude(*number)) return *number;
  problem("expected " +
          (number ? std::string("0 or ") + magnitude_range : expected_number(min, max)) +
          got(*value_));
  return otherwise;
}

bool ValueReader::boolean() const {
  if (value_ == nullptr) return false;
  if (value_->is_boolean()) return value_->get<bool>();
  problem("expected true or false" + got(*value_));
  return false;
}

std::string ValueReader::string() const {
  if (value_ == nullptr) return "";
  if (value_->is_string()) return value_->get<std::string>();
  problem("expected a string" + got(*value_));
  return "";
}

std::size_t ValueReader::one_of(std::span<const std::string_view> choices) const {
  if (value_ == nullptr) return 0;
  const auto choice = choice_in(*value_, choices);
  if (choice) return *choice;
  std::string text = "expected " + expected_choice(choices) + got(*value_);
  if (value_->is_string() && choices.size() > 1) {
    text += did_you_mean(value_->get_ref<const std::string&>(), choices);
  }
  problem(std::move(text));
  return 0;
}

ObjectReader ValueReader::object() const {
  if (value_ != nullptr && !value_->is_object()) {
    problem("expected an object" + got(*value_));
    return {static_cast<const Json*>(nullptr), file_, pointer_, *problems_};
  }
  return {value_, file_, pointer_, *problems_};
}

std::vector<ValueReader> ValueReader::array() const {
  std::vector<ValueReader> elements;
  if (value_ == nullptr) return elements;
  if (!value_->is_array()) {
    problem("expected an array" + got(*value_));
    return elements;
  }
  elements.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) {
    elements.emplace_back(&(*value_)[i], file_, pointer_ + "/" + std::to_string(i), *problems_);
  }
  return elements;
}

std::string ValueReader::where() const { return file_ + "#" + pointer_; }

void ValueReader::problem(std::string text) const {
  add_problem(*problems_, {where(), std::move(text)});
}

// ObjectReader ---------------------------------------------------------------------------------

ObjectReader::ObjectReader(const Json& value, std::string file, std::string pointer,
                           std::vector<Problem>& problems)
    : ObjectReader(ValueReader(&value, std::move(file), std::move(pointer), problems).object()) {}

ObjectReader::ObjectReader(const Json* value, std::string file, std::string pointer,
                           std::vector<Problem>& problems)
    : value_(value), file_(std::move(file)), pointer_(std::move(pointer)), problems_(&problems) {
  if (value_ == nullptr) return;
  // An ordered object finds its keys one by one, which a loop over many of them cannot afford.
  for (const auto& [key, member] : value_->get_ref<const Json::object_t&>()) {
    members_.emplace(key, &member);
  }
}

const Json* ObjectReader::find(std::string_view key) const {
  const auto found = members_.find(key);
  if (found == members_.end() || found->second->is_null()) return nullptr;
  return found->second;
}

ValueReader ObjectReader::member(std::string_view key, bool required, std::string_view expected) {
  allow(key);
  const Json* value = find(key);
  if (value == nullptr && required && value_ != nullptr) {
    problem(key, "expected " + std::string(expected) + ", got nothing");
  }
  return {value, file_, pointer_to(key), *problems_};
}

template <typename Value, typename Read>
Value ObjectReader::read(std::string_view key, std::string_view expected,
                         const std::optional<Value>& otherwise, Read read) {
  const ValueReader value = member(key, !otherwise, expected);
  const std::size_t before = problems_->size();
  Value found = read(value);
  const bool is_read = value.raw() != nullptr && problems_->size() == before;
  return is_read ? found : otherwise.value_or(found);
}

std::int64_t ObjectReader::integer(std::string_view key, std::int64_t min, std::int64_t max,
                                   std::optional<std::int64_t> otherwise) {
  return read(key, expected_integer(min, max), otherwise,
              [&](const ValueReader& value) { return value.integer(min, max); });
}

double ObjectReader::number(std::string_view key, double min, double max,
                            std::optional<double> otherwise) {
  return read(key, expected_number(min, max), otherwise,
              [&](const ValueReader& value) { return value.number(min, max); });
}

bool ObjectReader::boolean(std::string_view key, std::optional<bool> otherwise) {
  return read(key, "true or false", otherwise, std::mem_fn(&ValueReader::boolean));
}

std::string ObjectReader::string(std::string_view key,
                                 const std::optional<std::string>& otherwise) {
  return read(key, "a string", otherwise, std::mem_fn(&ValueReader::string));
}

std::size_t ObjectReader::one_of(std::string_view key, std::span<const std::string_view> choices,
                                 std::optional<std::size_t> otherwise) {
  return read(key, expected_choice(choices), otherwise,
              [&](const ValueReader& value) { return value.one_of(choices); });
}

ObjectReader ObjectReader::object(std::string_view key) {
  return member(key, true, "an object").object();
}

std::optional<ObjectReader> ObjectReader::optional_object(std::string_view key) {
  const ValueReader value = member(key, false, "");
  if (value.raw() == nullptr) return std::nullopt;
  return value.object();
}

std::vector<ValueReader> ObjectReader::array(std::string_view key) {
  return member(key, true, "an array").array();
}

std::vector<ValueReader> ObjectReader::optional_array(std::string_view key) {
  return member(key, false, "").array();
}

ValueReader ObjectReader::value(std::string_view key) { return member(key, false, ""); }

bool ObjectReader::has(std::string_view key) const { return find(key) != nullptr; }

const Json* ObjectReader::raw(std::string_view key) {
  allow(key);
  return find(key);
}

std::vector<std::string> ObjectReader::keys() const {
  std::vector<std::string> keys;
  if (value_ == nullptr) return keys;
  for (const auto& member : value_->get_ref<const Json::object_t&>()) keys.push_back(member.first);
  return keys;
}

void ObjectReader::allow(std::string_view key) { known_.emplace(key); }

void ObjectReader::finish(std::string_view noun) {
  const std::vector<std::string> known(known_.begin(), known_.end());
  for (const std::string& key : keys()) {
    if (problems_->size() >= problems_max) return;
    if (!known_.contains(key)) {
      problem(key, "unknown " + std::string(noun) + did_you_mean(key, known));
    }
  }
}

std::string ObjectReader::where() const { return file_ + "#" + pointer_; }

std::string ObjectReader::where(std::string_view key) const {
  return file_ + "#" + pointer_to(key);
}

void ObjectReader::problem(std::string_view key, std::string text) {
  add_problem(*problems_, {where(key), std::move(text)});
}

std::string ObjectReader::pointer_to(std::string_view key) const {
  return pointer_ + "/" + pointer_token(key);
}

}  // namespace cubicbench::support
