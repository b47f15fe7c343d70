#include "support/input_error.h"

#include "support/characters.h"

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

/// Bytes of the UTF-8 character that starts at `at`; a stray byte counts as one character.
std::size_t character_bytes(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && end < at + 4 && (static_cast<unsigned char>(text[end]) >> 6) == 2) {
    ++end;
  }
  return end - at;
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

std::string shortened(std::string_view text) {
  std::string out;
  std::size_t characters = 0;
  std::size_t keep = 0;  // bytes of `out` that leave room for the dots
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = character_bytes(text, at);
    const std::string piece =
        is_control(text[at]) ? "\\u00" + hex_of(text[at]) : std::string(text.substr(at, bytes));
    characters += is_control(text[at]) ? piece.size() : 1;
    if (characters > shown_characters_max) return out.substr(0, keep) + "...";
    out += piece;
    if (characters + 3 <= shown_characters_max) keep = out.size();
    at += is_control(text[at]) ? 1 : bytes;
  }
  return out;
}

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

}  // namespace cubicbench::support
