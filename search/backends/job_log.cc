#include "search/backends/job_log.h"

#include <algorithm>
#include <array>

#include "support/characters.h"

namespace cubicbench::search {
namespace {

constexpr std::string_view line_ends = "\r\n";
constexpr std::string_view blanks = " \t\v\f";

constexpr std::array<std::string_view, 3> memory_phrases{"out of memory", "outofmemoryerror",
                                                         "cuda_error_out_of_memory"};
constexpr std::size_t phrase_bytes_max = memory_phrases.back().size();

constexpr std::array<std::string_view, 3> step_words{"step", "iteration", "iter"};
/// What may stand between such a word and its number.
constexpr std::string_view before_number = " \t:=#(_";
/// Longer words need not be told apart.
constexpr std::size_t word_bytes_max = 10;

constexpr bool is_line_end(char c) { return c == '\n' || c == '\r'; }

}  // namespace

void JobLog::add(std::string_view text) {
  look_for_memory(text);
  look_for_step(text);
  for (;;) {
    const std::size_t end = text.find_first_of(line_ends);
    keep(text.substr(0, end));
    if (end == std::string_view::npos) return;
    end_line();
    text.remove_prefix(end + 1);
  }
}

std::string_view JobLog::last_line() const { return blank_ ? last_ : line_; }

void JobLog::keep(std::string_view piece) {
  blank_ = blank_ && piece.find_first_not_of(blanks) == std::string_view::npos;
  overlong_ = overlong_ || line_.size() + piece.size() > line_bytes_max;
  if (overlong_) {
    line_.clear();
  } else {
    line_ += piece;
  }
}

void JobLog::end_line() {
  if (!blank_) std::swap(last_, line_);
  line_.clear();
  blank_ = true;
  overlong_ = false;
}

void JobLog::look_for_memory(std::string_view text) {
  if (out_of_memory_) return;
  std::string& seen = tail_;
  const std::size_t old = seen.size();
  seen.resize(old + text.size());
  std::transform(text.begin(), text.end(), seen.begin() + static_cast<std::ptrdiff_t>(old),
                 support::lowered);
  for (const std::string_view phrase : memory_phrases) {
    out_of_memory_ = out_of_memory_ || seen.find(phrase) != std::string::npos;
  }
  if (seen.size() >= phrase_bytes_max) seen.erase(0, seen.size() - (phrase_bytes_max - 1));
}

void JobLog::look_for_step(std::string_view text) {
  for (const char c : text) {
    if (reported_step_) return;
    // A colour is ESC [ digits and semicolons, then a letter.
    if (escape_ != Escape::none) {
      escape_ = escape_ == Escape::begun && c == '[' ? Escape::inside
                : escape_ == Escape::inside && !support::is_letter(c) && !is_line_end(c)
                    ? Escape::inside
                    : Escape::none;
      continue;
    }
    if (support::is_letter(c)) {
      if (word_.size() < word_bytes_max) word_ += support::lowered(c);
      continue;
    }
    end_word();
    const bool may_stand_there = before_number.find(c) != std::string_view::npos;
    if (c == '\x1b') {
      escape_ = Escape::begun;
    } else if (support::is_digit(c)) {
      reported_step_ = seen_ == Seen::after_number;
      seen_ = seen_ == Seen::word ? Seen::number : seen_;
    } else if (is_line_end(c) || (seen_ == Seen::word && !may_stand_there)) {
      seen_ = Seen::nothing;
    } else if (seen_ == Seen::number) {
      seen_ = Seen::after_number;
    }
  }
}

void JobLog::end_word() {
  if (word_.empty()) return;
  if (std::find(step_words.begin(), step_words.end(), word_) != step_words.end()) {
    seen_ = Seen::word;
  } else if (seen_ == Seen::word) {
    seen_ = Seen::nothing;  // "step of 3" is no step's number
  } else if (seen_ == Seen::number) {
    seen_ = Seen::after_number;
  }
  word_.clear();
}

}  // namespace cubicbench::search
