#include "search/journal/plain_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include "scenarios/readers/campaign_reader.h"
#include "support/json/object_reader.h"
#include "support/magnitude.h"

namespace cubicbench::search {
namespace {

using scenarios::TrialState;

constexpr double highest = std::numeric_limits<double>::max();
constexpr double lowest = -highest;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Bytes that JSON writes as they are, and that every reader takes for one character.
bool is_plain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

bool is_number_part(char c) {
  return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/// Is it a number of JSON? `text` begins with a digit or a minus sign and ends in a digit, as far
/// as std::from_chars, which takes more, reads it to its end.
bool is_json_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front()) || !is_digit(text.back())) return false;
  if (text.front() == '0' && text.size() > 1 && is_digit(text[1])) return false;
  const std::size_t point = text.find('.');
  return point == std::string_view::npos || is_digit(text[point + 1]);
}

/// A number of JSON of digits with at most a minus sign before them and a point between them.
bool is_plain_decimal(std::string_view text) {
  if (!is_json_number(text)) return false;
  const std::size_t digits = text.starts_with('-') ? 1 : 0;
  const std::size_t point = text.find('.');
  return text.find('-', digits) == std::string_view::npos &&
         (point == std::string_view::npos || text.find('.', point + 1) == std::string_view::npos);
}

bool ends_value(char c) { return c == ',' || c == '}'; }

/// A number that JSON's writers print as it stands: an integer, or a decimal of few digits that
/// ends in none in vain.
bool is_written_shortest(std::string_view text) {
  if (!is_json_number(text) || text == "-0") return false;
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  if (point > 9 || !std::ranges::all_of(text.substr(0, point), is_digit)) return false;
  if (point == text.size()) return true;
  const std::string_view decimals = text.substr(point + 1);
  return decimals.size() <= 4 && std::ranges::all_of(decimals, is_digit) &&
         (decimals.back() != '0' || decimals == "0");
}

/// What is left of a line. Once something else is found than what is taken, all that follows fails.
class Rest {
 public:
  explicit Rest(std::string_view text) : text_(text) {}

  bool is_at(std::string_view literal) const { return ok_ && text_.starts_with(literal); }
  bool is_done() const { return ok_ && text_.empty(); }
  bool has_failed() const { return !ok_; }
  void fail() { ok_ = false; }

  /// Takes it if it is there.
  bool may_take(std::string_view literal) {
    if (!is_at(literal)) return false;
    text_.remove_prefix(literal.size());
    return true;
  }
  void take(std::string_view literal) { ok_ = may_take(literal); }

  /// The text between quotes.
  std::string_view name() {
    take("\"");
    const std::string_view found = run(is_plain);
    take("\"");
    return found;
  }

  std::int64_t integer(std::int64_t max) {
    const auto [value, text] = converted<std::int64_t>();
    ok_ = ok_ && text.front() != '-' && value <= max;
    return value;
  }

  double number(double min) {
    const auto [value, text] = converted<double>();
    ok_ = ok_ && text != "-0" && value >= min && support::is_of_readable_magnitude(value);
    return value;
  }

  /// A number that is not kept. Without an exponent and with few digits its magnitude is always one
  /// that the reader takes.
  void skip_number() {
    constexpr std::size_t plain_max = 24;
    const std::string_view text = text_.substr(0, text_.find_first_not_of("-.0123456789"));
    if (text.size() > plain_max || text.size() == text_.size() || text == "-0" ||
        !ends_value(text_[text.size()]) || !is_plain_decimal(text)) {
      number(lowest);
    } else {
      text_.remove_prefix(text.size());
    }
  }

  /// A value of a setting, as its text.
  std::string_view scalar() {
    for (const std::string_view word : {"true", "false"}) {
      if (may_take(word)) return word;
    }
    const std::string_view begin = text_;
    if (is_at("\"")) {
      name();
      return begin.substr(0, begin.size() - text_.size());
    }
    const std::string_view text = run(is_number_part);
    ok_ = ok_ && is_written_shortest(text);
    return text;
  }

  /// Lets `taker` take something off the front, which says whether it could.
  template <class Taker>
  void take_by(Taker taker) {
    ok_ = ok_ && taker(text_);
  }

 private:
  /// A number of JSON, and how it is written. What it goes on with is no comma, and fails as such.
  template <class Number>
  std::pair<Number, std::string_view> converted() {
    Number value{};
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    const std::string_view text = text_.substr(0, static_cast<std::size_t>(end - text_.data()));
    ok_ = ok_ && error == std::errc() && is_json_number(text);
    text_.remove_prefix(text.size());
    return {value, text};
  }

  template <class Belongs>
  std::string_view run(Belongs belongs) {
    const auto end = std::ranges::find_if_not(text_, belongs);
    const std::string_view found = text_.substr(0, static_cast<std::size_t>(end - text_.begin()));
    text_.remove_prefix(found.size());
    return ok_ ? found : std::string_view();
  }

  std::string_view text_;
  bool ok_ = true;
};

/// More than a configuration has, and few enough to compare each with all others.
constexpr std::size_t members_max = 64;

/// Hands `each` the members of an object, whose names must differ.
template <class Each>
void take_members(Rest& rest, Each each) {
  struct Name {  // which nothing sets before it is known: most objects have few
    const char* begin;
    std::size_t size;
  };
  std::array<Name, members_max> names;
  std::size_t count = 0;
  rest.take("{");
  while (!rest.may_take("}")) {
    if (count > 0) rest.take(",");
    const std::string_view name = rest.name();
    rest.take(":");
    const auto is_name = [&](const Name& known) {
      return std::string_view(known.begin, known.size) == name;
    };
    if (name.empty() || count == members_max ||
        std::any_of(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count), is_name)) {
      rest.fail();
    }
    if (rest.has_failed()) return;
    names[count++] = {name.data(), name.size()};
    each(name);
  }
}

template <class Known>
auto known_or_fail(Rest& rest, const std::optional<Known>& known) {
  if (!known) rest.fail();
  return known.value_or(Known{});
}

scenarios::Reason reason_or_null(Rest& rest) {
  if (rest.may_take("null")) return scenarios::Reason::none;
  return known_or_fail(rest, scenarios::reason_of(rest.name()));
}

std::optional<double> number_or_null(Rest& rest, double min, double max) {
  if (rest.may_take("null")) return std::nullopt;
  const double value = rest.number(min);
  if (value > max) rest.fail();
  return value;
}

template <class Line>
void take_launch_number(Rest& rest, Line& line) {
  rest.take("{\"trial\":");
  line.trial = rest.integer(scenarios::trials_max);
  rest.take(",\"attempt\":");
  line.attempt = rest.integer(scenarios::trials_max);
}

/// State, reason and value.
template <class Outcome>
void take_end(Rest& rest, Outcome& read) {
  rest.take(",\"state\":");
  read.state = known_or_fail(rest, scenarios::trial_state_of(rest.name()));
  rest.take(",\"reason\":");
  read.reason = reason_or_null(rest);
  rest.take(",\"value\":");
  read.value = number_or_null(rest, lowest, highest);
  if (read.value.has_value() != (read.state == TrialState::complete)) rest.fail();
}

struct Times {
  double started_h = 0.0;
  double finished_h = 0.0;
};

/// All that follows the metrics. `outcome` has the cost, `line` the rest.
template <class Outcome, class Line>
Times take_rest(Rest& rest, Outcome& outcome, Line& line) {
  Times times;
  rest.take(",\"cost_gpu_hours\":");
  outcome.cost_gpu_hours = rest.number(0.0);
  rest.take(",\"started_h\":");
  times.started_h = rest.number(0.0);
  rest.take(",\"finished_h\":");
  times.finished_h = rest.number(times.started_h);
  rest.take(",\"round\":");
  line.round = rest.integer(scenarios::trials_max);
  rest.take(",\"fidelity\":");
  if (const auto share = number_or_null(rest, support::above_zero, 1.0)) line.fidelity = *share;
  rest.take("}");
  return times;
}

}  // namespace

std::optional<JournalLine> read_plain_launch(std::string_view text) {
  Rest rest(text);
  JournalLine line;
  take_launch_number(rest, line);
  rest.take(",\"config\":");
  take_members(rest, [&](std::string_view name) { line.config.emplace_back(name, rest.scalar()); });
  take_end(rest, line.outcome);
  rest.take(",\"metrics\":");
  take_members(rest, [&](std::string_view name) {
    line.outcome.metrics.emplace_back(name, rest.number(lowest));
  });
  const Times times = take_rest(rest, line.outcome, line);
  line.started_h = times.started_h;
  line.finished_h = times.finished_h;
  line.outcome.duration_h = line.finished_h - line.started_h;
  return rest.is_done() ? std::optional(std::move(line)) : std::nullopt;
}

std::optional<PlainOutcome> read_plain_outcome(std::string_view text, ConfigWords& words,
                                               std::vector<ConfigWord>& config) {
  Rest rest(text);
  PlainOutcome read;
  take_launch_number(rest, read);
  rest.take(",\"config\":");
  rest.take_by([&](std::string_view& line) { return words.take_object(line, config); });
  take_end(rest, read);
  rest.take(",\"metrics\":");
  take_members(rest, [&](std::string_view) { rest.skip_number(); });
  take_rest(rest, read, read);
  return rest.is_done() ? std::optional(read) : std::nullopt;
}

std::optional<std::pair<std::string, std::string>> read_plain_member(std::string_view text) {
  Rest rest(text);
  const std::string_view name = rest.name();
  rest.take(":");
  const std::string_view value = rest.scalar();
  if (!rest.is_done() || name.empty()) return std::nullopt;
  return std::pair(std::string(name), std::string(value));
}

std::optional<TruthLine> read_plain_truth(std::string_view text) {
  Rest rest(text);
  TruthLine line;
  take_launch_number(rest, line);
  rest.take(",\"reason\":");
  line.truth.reason = reason_or_null(rest);
  rest.take(",\"value\":");
  const std::optional<double> value = number_or_null(rest, lowest, highest);
  if (value.has_value() != (line.truth.reason == scenarios::Reason::none)) rest.fail();
  if (value) line.truth.value = *value;
  rest.take("}");
  return rest.is_done() ? std::optional(line) : std::nullopt;
}

}  // namespace cubicbench::search
