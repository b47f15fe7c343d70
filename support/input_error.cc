#include "support/input_error.h"

#include <utility>

#include "support/characters.h"
#include "support/shortened_to.h"

namespace cubicbench::support {
namespace {

constexpr std::size_t shown_characters_max = 60;

std::string joined(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += problem.where + ": " + problem.text;
  }
  return text;
}

/// The character at the start of `text` as a message shows it: valid UTF-8, as a message may become
/// JSON. A byte that is none is written as `\xff`.
struct ShownCharacter {
  std::size_t bytes = 1;  ///< of `text`
  std::string text;
  std::size_t width = 1;  ///< characters of what is shown
};

ShownCharacter shown_character(std::string_view text) {
  const auto escaped = [](std::string escape) {
    const std::size_t width = escape.size();
    return ShownCharacter{.bytes = 1, .text = std::move(escape), .width = width};
  };
  if (is_control(text.front())) return escaped("\\u00" + hex_of(text.front()));
  const std::size_t bytes = utf8_character(text);
  if (bytes == 0) return escaped("\\x" + hex_of(text.front()));
  return {.bytes = bytes, .text = std::string(text.substr(0, bytes))};
}

}  // namespace

InputError::InputError(std::vector<Problem> problems)
    : problems_(std::move(problems)), message_(joined(problems_)) {}

InputError::InputError(std::string where, std::string text)
    : InputError(std::vector<Problem>{{std::move(where), std::move(text)}}) {}

void throw_if_any(const std::vector<Problem>& problems) {
  if (!problems.empty()) throw InputError(problems);
}

void TableProblems::add(std::string where, std::string text) {
  ++count_;
  if (shown_.size() < shown_max) {
    shown_.push_back({.where = std::move(where), .text = std::move(text)});
  }
}

void TableProblems::throw_if_any() const {
  std::vector<Problem> problems = shown_;
  if (count_ > shown_.size()) {
    problems.push_back(
        {.where = file_,
         .text = "and " + std::to_string(count_ - shown_.size()) + " more problems"});
  }
  support::throw_if_any(problems);
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

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

}  // namespace cubicbench::support
