#include "support/json/strict_json.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/characters.h"
#include "support/input_error.h"
#include "support/json/object_reader.h"

namespace cubicbench::support {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t problems_max = 100;
constexpr std::size_t json_values_max = 2'000'000;

/// `FILE:LINE:COLUMN` of the byte at `at`.
std::string place(const std::string& file, std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return file + ":" + std::to_string(line) + ":" + std::to_string(at - line_start + 1);
}

[[noreturn]] void syntax_error(const std::string& file, std::string_view text, std::size_t at,
                               const std::string& message) {
  throw InputError(place(file, text, at), message);
}

std::string byte_name(char c) { return "the byte 0x" + hex_of(c); }

// Encoding -------------------------------------------------------------------------------------

/// What the JSON library would accept or skip over in silence, and what it could only call an
/// unexpected character.
void require_text(std::string_view text, const std::string& file) {
  if (text.starts_with("\xef\xbb\xbf")) {
    syntax_error(file, text, 0, "expected JSON without a byte order mark, got one");
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    syntax_error(file, text, 0, "expected a JSON document, got an empty file");
  }
  // The library takes a NUL byte for the end of the text and never sees what follows.
  if (const std::size_t at = text.find('\0'); at != std::string_view::npos) {
    syntax_error(file, text, at, "expected JSON text, got the byte 0x00");
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_character(text.substr(at));
    if (length == 0) syntax_error(file, text, at, "expected UTF-8, got " + byte_name(text[at]));
    at += length;
  }
}

// Syntax errors --------------------------------------------------------------------------------

/// What has been read just before the place where the text went wrong.
enum class Before { nothing, opening, key, value };
enum class Container { none, array, object };

std::size_t skip_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

/// What may stand at `at`, moved to the first byte that may not.
std::string expectation(std::string_view text, std::size_t& at, Before before,
                        Container container) {
  at = skip_space(text, at);
  const auto passed = [&](char c) {
    if (at == text.size() || text[at] != c) return false;
    at = skip_space(text, at + 1);
    return true;
  };
  const bool array = container == Container::array;
  if (before == Before::nothing) return "a value";
  if (before == Before::opening) return array ? "a value or ]" : "a key in quotes or }";
  if (before == Before::key) return passed(':') ? "a value" : "a colon";
  if (container == Container::none) return "the end of the file";
  if (!passed(',')) return array ? "a comma or ]" : "a comma or }";
  return array ? "a value" : "a key in quotes";
}

/// The token at `at`, as a message shows it.
std::string token(std::string_view text, std::size_t at) {
  if (at == text.size()) return "the end of the file";
  const std::string_view rest = text.substr(at, 400);
  if (rest[0] == '"') {
    const std::size_t last = std::min(rest.find_first_of("\"\n", 1), rest.size() - 1);
    return shortened(rest.substr(0, last + 1));
  }
  const std::size_t end = std::min(rest.find_first_of(" \t\r\n,:[]{}\""), rest.size());
  return shortened(rest.substr(0, std::max<std::size_t>(1, end)));
}

/// The message for a string that opens properly and breaks at `at`.
[[noreturn]] void string_error(const std::string& file, std::string_view text, std::size_t at) {
  if (at >= text.size()) {
    syntax_error(file, text, text.size(), "expected a closing quote, got the end of the file");
  }
  if (text[at] == '\n') syntax_error(file, text, at, "expected a closing quote, got a line break");
  if (static_cast<unsigned char>(text[at]) < 0x20) {
    syntax_error(file, text, at, "expected no control character, got " + byte_name(text[at]));
  }
  std::size_t escape = text.rfind('\\', at);
  // Half of a surrogate pair is found out at its second half.
  if (escape >= 6 && text[escape - 6] == '\\' && text[escape - 5] == 'u' &&
      (text[escape - 4] | 0x20) == 'd') {
    escape -= 6;
  }
  syntax_error(file, text, escape,
               "expected an escape such as \\n or \\u00e9, got " +
                   shortened(text.substr(escape, at + 1 - escape)));
}

// Building -------------------------------------------------------------------------------------

bool is_integer(std::string_view spelled) {
  return spelled.find_first_of(".eE") == std::string_view::npos;
}

std::string too_large(std::string_view spelled) {
  const char* expected = is_integer(spelled)
                             ? "expected an integer in [-9223372036854775808, 18446744073709551615]"
                             : "expected a number of at most 1.7976931348623157e+308";
  return std::string(expected) + ", got " + shortened(spelled);
}

/// Walks over the text and counts, because the parser tells no position but that of a syntax error.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

/// Builds the document from the parser's events and refuses what the library would let pass.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::size_t* count() { return &count_; }
  Json take() {
    throw_if_any(problems_);
    return std::move(root_);
  }

  bool null() override { return scalar(nullptr); }
  bool boolean(bool value) override { return scalar(value); }
  bool number_integer(number_integer_t value) override { return scalar(value); }
  bool number_unsigned(number_unsigned_t value) override { return scalar(value); }
  bool number_float(number_float_t value, const std::string& spelled) override {
    // The library turns integers that do not fit into floats.
    if (!is_integer(spelled)) return scalar(value);
    const bool going_on = problem(too_large(spelled));
    return scalar(0) && going_on;
  }
  bool string(string_t& value) override { return scalar(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // no JSON text holds one

  bool start_object(std::size_t) override { return open(Json::object(), Container::object); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::array(), Container::array); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    read(Before::key);
    Frame& frame = frames_.back();
    frame.key = name;
    if (frame.keys.insert(name).second) return true;
    return problem("expected each key once, got it again");
  }

  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& error) override {
    constexpr int number_overflow = 406;
    if (error.id == number_overflow) {
      problem(too_large(last_token));
      return false;
    }
    const Container container = frames_.empty() ? Container::none : frames_.back().container;
    std::size_t at = read_to_;
    const std::string expected = expectation(text_, at, before_, container);
    const bool string_may_follow = expected.starts_with("a value") || expected.starts_with("a key");
    if (string_may_follow && at < text_.size() && text_[at] == '"') {
      string_error(file_, text_, position - 1);
    }
    syntax_error(file_, text_, at, "expected " + expected + ", got " + token(text_, at));
  }

 private:
  struct Frame {
    Json* value;
    Container container;
    std::string key;
    std::set<std::string> keys;
  };

  void read(Before what) {
    before_ = what;
    read_to_ = count_;
  }

  /// A value takes hundreds of bytes of memory for two of text.
  void count_value() {
    if (++values_ > json_values_max) {
      syntax_error(file_, text_, count_ - 1,
                   "expected a document of at most " + std::to_string(json_values_max) +
                       " values, got more");
    }
  }

  /// `FILE#/pointer` of the value that is being read.
  std::string where() const {
    std::string where = file_ + "#";
    for (const Frame& frame : frames_) {
      if (frame.container == Container::object) {
        where += "/" + pointer_token(frame.key);
        continue;
      }
      // An open array or object is among its parent's elements, a number is not yet.
      const std::size_t open = &frame == &frames_.back() ? 0 : 1;
      where += "/" + std::to_string(frame.value->size() - open);
    }
    return where;
  }

  /// Records it; false when there are enough of them.
  bool problem(std::string text) {
    problems_.push_back({where(), std::move(text)});
    return problems_.size() < problems_max;
  }

  /// Puts `value` where it belongs and returns its place.
  Json* put(Json value) {
    count_value();
    if (frames_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    const Frame& frame = frames_.back();
    if (frame.container == Container::array) {
      frame.value->push_back(std::move(value));
      return &frame.value->back();
    }
    // Past the object's own search for the key, which takes time linear in its size.
    auto& members = frame.value->get_ref<Json::object_t&>();
    static_cast<std::vector<Json::object_t::value_type>&>(members).emplace_back(frame.key,
                                                                                std::move(value));
    return &members.back().second;
  }

  template <typename Value>
  bool scalar(Value&& value) {
    put(Json(std::forward<Value>(value)));
    read(Before::value);
    using Plain = std::remove_cvref_t<Value>;
    if constexpr (std::is_arithmetic_v<Plain> && !std::is_same_v<Plain, bool>) {
      if (looked_ahead(std::is_integral_v<Plain> && value == Plain{0})) --read_to_;
    }
    return true;
  }

  /// Whether the last byte taken is the one after the number: its end shows only there. A digit
  /// belongs to the number, but for one that follows a bare zero, as in `01`.
  bool looked_ahead(bool zero) const {
    const char last = text_[read_to_ - 1];
    if (!(last >= '0' && last <= '9')) return true;
    const bool doubled = read_to_ >= 2 && text_[read_to_ - 2] == '0';
    return zero && (last != '0' || doubled);
  }

  bool open(Json empty, Container container) {
    if (frames_.size() == json_depth_max) {
      syntax_error(file_, text_, count_ - 1,
                   "expected objects and arrays nested at most " + std::to_string(json_depth_max) +
                       " deep, got deeper ones");
    }
    Json* value = put(std::move(empty));
    frames_.push_back({value, container, {}, {}});
    read(Before::opening);
    return true;
  }

  bool close() {
    frames_.pop_back();
    read(Before::value);
    return true;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t count_ = 0;    ///< bytes the parser has taken
  std::size_t read_to_ = 0;  ///< bytes up to the end of the last value, key or bracket
  std::size_t values_ = 0;
  Before before_ = Before::nothing;
  Json root_;
  std::vector<Frame> frames_;
  std::vector<Problem> problems_;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& file) {
  require_text(text, file);
  Builder builder(text, file);
  const CountingIterator begin(text.data(), builder.count());
  const CountingIterator end(text.data() + text.size(), builder.count());
  Json::sax_parse(begin, end, &builder);
  return builder.take();
}

}  // namespace cubicbench::support
