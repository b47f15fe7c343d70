#include "support/input_error.h"

#include <algorithm>
#include <utility>

#include "support/shortened_to.h"
#include "support/shown_character.h"

namespace cubicbench::support {
namespace {

constexpr std::size_t shown_characters_max = 60;

constexpr std::size_t lines_max = 20;
constexpr std::size_t line_characters_max = 900;
constexpr std::size_t bytes_max = 4000;

std::string joined(const std::vector<Problem>& problems) {
  std::vector<std::string> lines;
  lines.reserve(problems.size());
  for (const Problem& problem : problems) lines.push_back(problem.where + ": " + problem.text);
  return message_of(lines, problems.size() == problems_max);
}

}  // namespace

InputError::InputError(std::vector<Problem> problems)
    : problems_(std::move(problems)), message_(joined(problems_)) {}

InputError::InputError(std::string where, std::string text)
    : InputError(std::vector<Problem>{{std::move(where), std::move(text)}}) {}

void add_problem(std::vector<Problem>& problems, Problem problem) {
  if (problems.size() < problems_max) problems.push_back(std::move(problem));
}

void throw_if_any(const std::vector<Problem>& problems) {
  if (!problems.empty()) throw InputError(problems);
}

std::string shortened(std::string_view text) { return shortened_to(text, shown_characters_max); }

std::string shortened_to(std::string_view text, std::size_t characters_max) {
  std::string out;
  std::size_t characters = 0;
  std::size_t keep = 0;  // bytes of `out` that leave room for the dots
  for (std::size_t at = 0; at < text.size();) {
    const ShownCharacter shown = shown_character(text.substr(at));
    characters += shown.width;
    if (characters > characters_max) return out.substr(0, keep) + "...";
    out += shown.text;
    if (characters + 3 <= characters_max) keep = out.size();
    at += shown.bytes;
  }
  return out;
}

std::string message_of(const std::vector<std::string>& lines, bool others_dropped) {
  std::string text;
  std::size_t shown = 0;
  for (; shown < std::min(lines.size(), lines_max); ++shown) {
    // A very long name, in a place or a quotation, must not hide the problem.
    const std::string line = shortened_to(lines[shown], line_characters_max);
    if (text.size() + line.size() > bytes_max) break;
    text += (shown > 0 ? "\n" : "") + line;
  }
  const std::size_t left_out = lines.size() - shown;
  if (left_out == 0) return text;
  return text + "\nand " + (others_dropped ? "at least " : "") + std::to_string(left_out) +
         " more problem" + (left_out == 1 ? "" : "s");
}

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

}  // namespace cubicbench::support
