#include "results/lessons/lesson_values.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "results/document/number_text.h"
#include "results/lessons/lesson_formula.h"
#include "sim/base/binary_sizes.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/json/strict_json.h"
#include "support/scratch_folder.h"
#include "support/suggestion.h"

namespace cubicbench::results {
namespace {

using support::InputError;

std::vector<std::string> split(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string rounded_count(double number) {
  return (number < 0.0 ? "-" : "") +
         grouped(static_cast<std::uint64_t>((number < 0.0 ? -number : number) + 0.5));
}

std::string signed_percent(double share) {
  return (share < 0.0 ? "-" : "+") + percent(share < 0.0 ? -share : share);
}

struct Format {
  std::string_view name;
  std::string (*text)(double);
};

constexpr std::array<Format, 10> formats{{
    {"percent", percent},
    {"signed_percent", signed_percent},
    {"time", [](double seconds) { return duration(sim::Seconds{seconds}); }},
    {"gib", [](double bytes) { return fixed(bytes / sim::bytes_per_gib, 1) + " GiB"; }},
    {"count", rounded_count},
    {"scaled", scaled},
    {"tera", [](double number) { return fixed(number / 1e12, 0); }},
    {"digits0", [](double number) { return fixed(number, 0); }},
    {"digits1", [](double number) { return fixed(number, 1); }},
    {"digits2", [](double number) { return fixed(number, 2); }},
}};

/// Without the bar at its end, and without spaces there.
std::string without_bar(std::string line) {
  line.erase(line.find_last_not_of('#') + 1);
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

LessonValues::LessonValues(AskProgram ask)
    : ask_(std::move(ask)),
      answers_(std::make_unique<nlohmann::ordered_json>(nlohmann::ordered_json::object())) {}
LessonValues::LessonValues(LessonValues&&) noexcept = default;
LessonValues::~LessonValues() = default;

void LessonValues::add(const std::string& name, const std::string& line, const std::string& where) {
  if (lines_.contains(name)) throw InputError(where, "a second command called \"" + name + "\"");
  std::vector<std::string> words = split(line);
  words.emplace_back("--json");
  (*answers_)[name] = support::parse_json(ask_(words), "cubicbench " + line);
  lines_[name] = line;
  commands_.push_back("cubicbench " + line);
}

std::string LessonValues::filled(std::string_view text, const std::string& where) const {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('{', at), text.size());
    result += text.substr(at, open - at);
    if (open == text.size()) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) throw InputError(where, "expected a } behind {");
    result += place(text.substr(open + 1, close - open - 1), where);
    at = close + 1;
  }
  return result;
}

std::string LessonValues::place(std::string_view text, const std::string& where) const {
  constexpr std::string_view as = " as ";
  const std::size_t at = text.rfind(as);
  if (at != std::string_view::npos) {
    return shown(number(text.substr(0, at), where), text.substr(at + as.size()), where);
  }
  if (const auto line = lines_.find(std::string(text)); line != lines_.end()) {
    return "cubicbench " + line->second;
  }
  const nlohmann::ordered_json& value = value_at(*answers_, text, where);
  if (!value.is_string()) {
    throw InputError(where, "expected a format, as in {" + std::string(text) + " as percent}");
  }
  return value.get<std::string>();
}

double LessonValues::number(std::string_view formula, const std::string& where) const {
  return formula_value(*answers_, formula, where);
}

std::string LessonValues::shown(double number, std::string_view format, const std::string& where) {
  const auto* const found = std::ranges::find(formats, format, &Format::name);
  if (found != formats.end()) return found->text(number);
  const std::string known = support::joined(formats, ", ", &Format::name);
  throw InputError(where,
                   "expected a format, one of " + known + ", got " + support::in_quotes(format));
}

bool LessonValues::holds(std::string_view claim, const std::string& where) const {
  for (const std::string_view sign : {" <= ", " >= ", " < ", " > "}) {
    const std::size_t at = claim.find(sign);
    if (at == std::string_view::npos) continue;
    const double left = number(claim.substr(0, at), where);
    const double right = number(claim.substr(at + sign.size()), where);
    if (sign[1] == '<') return sign[2] == '=' ? left <= right : left < right;
    return sign[2] == '=' ? left >= right : left > right;
  }
  throw InputError(where, "expected a comparison, got " + support::in_quotes(claim));
}

std::string LessonValues::drawn(const std::string& line) const {
  const support::ScratchFolder folder;
  const std::string file = folder.path() / "drawn.svg";
  std::vector<std::string> words = split(line);
  words.insert(words.end(), {"--out", file});
  ask_(words);
  return support::read_file(file);
}

const std::string& LessonValues::line_of(const std::string& name, const std::string& where) const {
  const auto line = lines_.find(name);
  if (line == lines_.end()) throw InputError(where, "no command called \"" + name + "\"");
  return line->second;
}

std::string LessonValues::printed(const std::string& name,
                                  const std::vector<std::string>& beginnings,
                                  const std::string& where) const {
  const std::string& command = line_of(name, where);
  std::istringstream lines(ask_(split(command)));
  std::string text = "$ cubicbench " + command + "\n";
  std::size_t next = 0;
  for (std::string line; next < beginnings.size() && std::getline(lines, line);) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    if (!std::string_view(line).substr(begin).starts_with(beginnings[next])) continue;
    text += without_bar(line) + "\n";
    ++next;
  }
  if (next < beginnings.size()) {
    throw InputError(
        where, command + " prints no line \"" + beginnings[next] + "\" behind those before it");
  }
  return text;
}

}  // namespace cubicbench::results
