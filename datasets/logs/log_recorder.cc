#include "datasets/logs/log_recorder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "datasets/tables/measurement_schema.h"
#include "support/characters.h"
#include "support/json/canonical.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

constexpr std::int64_t integer_max = 1'000'000'000'000'000;

}  // namespace

std::string got(std::string_view text) { return ", got \"" + support::shortened(text) + "\""; }

std::string line_of(const std::string& file, std::size_t line) {
  return line == 0 ? file : file + ":" + std::to_string(line);
}

std::string without_commas(std::string_view text) {
  std::string plain(text);
  std::erase(plain, ',');
  return plain;
}

double rounding_of(std::string_view text) {
  const std::string plain = without_commas(text);
  const std::optional<double> value = support::parsed<double>(plain);
  if (!value || *value == 0.0) return 1.0;
  const std::size_t exponent = std::min(plain.find_first_of("eE"), plain.size());
  const std::string mantissa = plain.substr(0, exponent);
  const std::size_t point = mantissa.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : mantissa.size() - point - 1;
  double unit = 1.0;
  for (std::size_t i = 0; i < decimals; ++i) unit /= 10.0;
  const std::optional<double> of_mantissa = support::parsed<double>(mantissa);
  if (!of_mantissa || *of_mantissa == 0.0) return 1.0;
  return 0.5 * unit / std::abs(*of_mantissa);
}

void LogRecorder::cell(std::string_view column, std::string text, std::string name,
                       std::size_t line) {
  if (text.empty()) return;
  const MeasurementColumn& schema = *find_measurement_column(column);
  const bool is_words = std::holds_alternative<std::string Measurement::*>(schema.member);
  if (is_words && line > 0) text = support::shortened(text);  // a table is readable text
  Measurement nowhere;
  if (const std::string expected = set_cell(schema, text, nowhere); !expected.empty()) {
    problem(line, "expected " + expected + " in " + name + got(text));
    return;
  }
  text = cell_text(schema, nowhere);
  const LoggedCell* const earlier = find(column);
  if (earlier == nullptr) {
    run_.cells.push_back({column, std::move(text), std::move(name), line});
  } else if (earlier->text != text) {
    problem(line, "expected " + earlier->text + " in " + name + ", as " + earlier->name +
                      " in line " + std::to_string(earlier->line) + " has it" + got(text));
  }
}

void LogRecorder::cell(std::string_view column, std::int64_t count, std::string name,
                       std::size_t line) {
  cell(column, std::to_string(count), std::move(name), line);
}

std::optional<double> LogRecorder::number(std::string_view text, std::string_view name,
                                          std::size_t line, double max) {
  const std::optional<double> value = support::parsed<double>(without_commas(text));
  if (value && *value > 0.0 && *value <= max) return value;
  problem(line, "expected a number above 0 and at most " + support::shortest(max) + " in " +
                    std::string(name) + got(text));
  return std::nullopt;
}

std::optional<double> LogRecorder::number_or_zero(std::string_view text, std::string_view name,
                                                  std::size_t line, double max) {
  const std::optional<double> value = support::parsed<double>(without_commas(text));
  if (value && *value >= 0.0 && *value <= max) return value;
  problem(line, "expected a number in [0, " + support::shortest(max) + "] in " + std::string(name) +
                    got(text));
  return std::nullopt;
}

std::optional<std::int64_t> LogRecorder::count(std::string_view text, std::string_view name,
                                               std::size_t line, std::int64_t min) {
  const std::optional<std::int64_t> value = support::parsed<std::int64_t>(without_commas(text));
  if (value && *value >= min && *value <= integer_max) return value;
  problem(line, "expected an integer of at least " + std::to_string(min) + " in " +
                    std::string(name) + got(text));
  return std::nullopt;
}

void LogRecorder::rate(LoggedStep& step, std::string_view name, std::string_view text) {
  const std::optional<double> value = number_or_zero(text, name, step.line, rate_max);
  if (value && *value > 0.0) {
    step.rates.push_back({.name = name, .value = *value, .rounding = rounding_of(text)});
  }
}

void LogRecorder::peak(double gib, std::string_view kind, std::size_t line) {
  if (run_.peak && run_.peak->gib >= gib) return;
  run_.peak = LoggedPeak{.gib = gib, .kind = std::string(kind), .line = line};
}

void LogRecorder::growing_peak(double gib, std::string_view kind, std::size_t line) {
  constexpr double slack = 0.999;  // numbers are rounded
  if (run_.peak && gib < slack * run_.peak->gib) {
    not_understood(line, "a peak of memory below that of line " + std::to_string(run_.peak->line));
  }
  peak(gib, kind, line);
}

void LogRecorder::out_of_memory(std::size_t line) {
  if (!run_.out_of_memory) run_.out_of_memory = line;
}

void LogRecorder::not_understood(std::size_t line, std::string what) {
  run_.not_understood.push_back({.line = line, .what = std::move(what)});
}

void LogRecorder::problem(std::size_t line, std::string text) {
  support::add_problem(problems_, {line_of(run_.file, line), std::move(text)});
}

const LoggedCell* LogRecorder::find(std::string_view column) const {
  const auto found = std::ranges::find(run_.cells, column, &LoggedCell::column);
  return found == run_.cells.end() ? nullptr : &*found;
}

std::optional<std::int64_t> LogRecorder::stated(std::string_view column) const {
  const LoggedCell* const found = find(column);
  return found == nullptr ? std::nullopt : support::parsed<std::int64_t>(found->text);
}

}  // namespace cubicbench::datasets
