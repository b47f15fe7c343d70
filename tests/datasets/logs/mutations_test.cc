// Logs that are damaged: 2,000 changes of the excerpts. Never a crash, never a silently wrong
// number: a log is refused in words that name it, or what is read is what the whole log says.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/logs/log_formats.h"
#include "datasets/logs/read_log.h"
#include "datasets/tables/measurement_schema.h"
#include "support/characters.h"
#include "support/input_error.h"
#include "tests/datasets/logs/excerpts.h"
#include "tests/draws_asked.h"
#include "tests/fuzz/dice.h"

namespace cubicbench::datasets {
namespace {

using support::is_digit;

using fuzz::Dice;

/// A log, or the message that refuses it; anything else that is thrown fails the test.
struct Outcome {
  std::optional<ReadLog> log;
  std::string message;
};

Outcome outcome_of(const std::string& text, const std::string& file) {
  try {
    return {.log = read_log(text, file), .message = ""};
  } catch (const support::InputError& error) {
    return {.log = std::nullopt, .message = error.what()};
  }
}

/// Where numbers start and how long they are.
struct Place {
  std::size_t begin = 0;
  std::size_t bytes = 0;
};

std::vector<Place> numbers_in(std::string_view text) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool in_word = i > 0 && (support::is_letter(text[i - 1]) || text[i - 1] == '_' ||
                                   text[i - 1] == '.' || is_digit(text[i - 1]));
    if (!is_digit(text[i]) || in_word) continue;
    std::size_t end = i;
    while (end < text.size() && (is_digit(text[end]) || text[end] == '.' || text[end] == ','))
      ++end;
    while (end > i && !is_digit(text[end - 1])) --end;
    places.push_back({i, end - i});
    i = end;
  }
  return places;
}

/// Of the lines that hold records.
std::vector<Place> digits_of_records(const Excerpt& excerpt) {
  const LogText log = read_log_text(excerpt.text, excerpt.file);
  LoggedRun run{.file = excerpt.file};
  std::vector<support::Problem> problems;
  LogRecorder recorder(run, problems);
  recognised_format(log)->read(log, recorder);
  std::set<std::size_t> records;
  for (const LoggedStep& step : run.steps) records.insert(step.line);
  std::vector<Place> digits;
  std::size_t line = 1;
  for (std::size_t i = 0; i < excerpt.text.size(); ++i) {
    if (excerpt.text[i] == '\n') ++line;
    if (records.contains(line) && is_digit(excerpt.text[i])) digits.push_back({i, 1});
  }
  return digits;
}

/// Columns of the layout, in words, of rows that must agree.
void expect_same_layout(const Measurement& row, const Measurement& whole) {
  for (const MeasurementColumn& column : measurement_columns()) {
    const bool is_measured = column.name == "step_time_s" || column.name == "peak_mem_gib" ||
                             column.name == "tokens_per_s_per_gpu" || column.name == "mem_kind";
    const bool is_words = column.name == "notes" || column.name == "model" ||
                          column.name == "date" || column.name == "source" ||
                          column.name == "n_params_b" || column.name == "framework" ||
                          column.name == "precision" || column.name == "activation_ckpt";
    const std::string cell = cell_text(column, row);
    if (is_measured || is_words || cell.empty()) continue;
    EXPECT_EQ(cell, cell_text(column, whole)) << column.name;
  }
}

void expect_same_time(const Measurement& row, const Measurement& whole, double tolerance) {
  if (!row.step_time_s || !whole.step_time_s) return;
  EXPECT_NEAR(*row.step_time_s, *whole.step_time_s, tolerance * *whole.step_time_s);
}

/// What holds of any row.
void expect_possible(const Measurement& row) {
  for (const auto& number : {row.step_time_s, row.tokens_per_s_per_gpu, row.peak_mem_gib}) {
    if (!number) continue;
    EXPECT_TRUE(std::isfinite(*number));
    EXPECT_GT(*number, 0.0);
  }
  EXPECT_LE(row.step_time_s.value_or(0.0), 1e6);
  EXPECT_LE(row.peak_mem_gib.value_or(0.0), 93'133.0);
  if (row.n_gpus && row.dp) {
    EXPECT_EQ(*row.n_gpus, *row.dp * row.tp.value_or(1) * row.pp.value_or(1) * row.cp.value_or(1));
  }
  if (row.global_batch && row.dp && row.micro_batch) {
    EXPECT_EQ(*row.global_batch % (*row.dp * *row.micro_batch), 0);
  }
}

bool says_disagreement(const ReadLog& log) {
  return std::ranges::any_of(log.not_understood, [](const NotUnderstood& one) {
    return one.what.starts_with("half of the records disagree");
  });
}

bool names(const std::string& message, const std::string& file) {
  return message.starts_with(file);
}

constexpr std::size_t thousand = 1000;

/// A number anywhere becomes one that cannot be there.
TEST(LogMutations, RefuseNumbersThatCannotBe) {
  constexpr std::array<std::string_view, 8> impossible{"-1",    "nan",   "inf",  "-inf",
                                                       "1e400", "-0.25", "1e30", "12x4"};
  const std::size_t count = draws_asked(thousand);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Dice dice(static_cast<std::uint32_t>(i));
    const Excerpt& excerpt = excerpts()[dice.below(excerpts().size())];
    const std::vector<Place> places = numbers_in(excerpt.text);
    const Place place = places[dice.below(places.size())];
    std::string text = excerpt.text;
    const std::string_view value = impossible[dice.below(impossible.size())];
    text.replace(place.begin, place.bytes, value);
    SCOPED_TRACE(excerpt.file + ", number at byte " + std::to_string(place.begin) + " is " +
                 std::string(value) + " in place of " +
                 excerpt.text.substr(place.begin, place.bytes));
    const Outcome outcome = outcome_of(text, excerpt.file);
    if (!outcome.log) {
      EXPECT_TRUE(names(outcome.message, excerpt.file)) << outcome.message;
      ++refused;
      continue;
    }
    const Measurement whole = read_log(excerpt.text, excerpt.file).row;
    expect_possible(outcome.log->row);
    expect_same_layout(outcome.log->row, whole);
    expect_same_time(outcome.log->row, whole, 0.01);
  }
  EXPECT_GT(refused, count / 5) << "most numbers are of records and settings";
}

/// A digit of a record becomes another: a step time, a rate, a batch, a peak of memory.
TEST(LogMutations, DoNotFollowOneWrongDigit) {
  const std::size_t count = draws_asked(thousand / 2);
  for (std::size_t i = 0; i < count; ++i) {
    Dice dice(static_cast<std::uint32_t>(thousand + i));
    const Excerpt& excerpt = excerpts()[dice.below(excerpts().size())];
    const std::vector<Place> digits = digits_of_records(excerpt);
    if (digits.empty()) continue;  // a document
    std::string text = excerpt.text;
    const std::size_t at = digits[dice.below(digits.size())].begin;
    text[at] = static_cast<char>('0' + (text[at] - '0' + 1 + static_cast<int>(dice.below(9))) % 10);
    SCOPED_TRACE(excerpt.file + ", digit at byte " + std::to_string(at) + ": " +
                 excerpt.text.substr(at < 40 ? 0 : at - 40, 60));
    const Outcome outcome = outcome_of(text, excerpt.file);
    if (!outcome.log) {
      EXPECT_TRUE(names(outcome.message, excerpt.file)) << outcome.message;
      continue;
    }
    const Measurement whole = read_log(excerpt.text, excerpt.file).row;
    expect_same_layout(outcome.log->row, whole);
    // Of two blocks that disagree nothing says which is right.
    if (!says_disagreement(*outcome.log)) expect_same_time(outcome.log->row, whole, 0.01);
    const bool same_peak = outcome.log->row.peak_mem_gib == whole.peak_mem_gib;
    EXPECT_TRUE(same_peak || !outcome.log->not_understood.empty() ||
                std::abs(*outcome.log->row.peak_mem_gib / *whole.peak_mem_gib - 1.0) < 0.01);
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line + "\n");
  return lines;
}

/// Lines that are lost, doubled, exchanged, cut off, or have a byte changed.
std::string damaged(const std::string& text, Dice& dice) {
  std::vector<std::string> lines = lines_of(text);
  for (std::size_t changes = 1 + dice.below(3); changes > 0; --changes) {
    const std::size_t at = dice.below(lines.size());
    switch (dice.below(5)) {
      case 0:
        if (lines.size() > 1) lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), lines[at]);
        break;
      case 2:
        std::swap(lines[at], lines[dice.below(lines.size())]);
        break;
      case 3:
        lines[at].resize(dice.below(lines[at].size() + 1));
        break;
      default:
        if (!lines[at].empty()) {
          lines[at][dice.below(lines[at].size())] = static_cast<char>(dice.below(256));
        }
    }
  }
  std::string all;
  for (const std::string& line : lines) all += line;
  return all;
}

TEST(LogMutations, NeverCrash) {
  const std::size_t count = draws_asked(thousand / 2);
  std::size_t read = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Dice dice(static_cast<std::uint32_t>(2 * thousand + i));
    const Excerpt& excerpt = excerpts()[dice.below(excerpts().size())];
    SCOPED_TRACE(excerpt.file + ", draw " + std::to_string(i));
    const Outcome outcome = outcome_of(damaged(excerpt.text, dice), excerpt.file);
    if (outcome.log) {
      expect_possible(outcome.log->row);
      ++read;
    } else {
      EXPECT_TRUE(names(outcome.message, excerpt.file)) << outcome.message;
    }
  }
  EXPECT_GT(read, count / 2) << "most damage leaves a log that says something";
}

}  // namespace
}  // namespace cubicbench::datasets
