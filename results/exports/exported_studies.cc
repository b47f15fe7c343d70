#include "results/exports/exported_studies.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;

/// Of a JSON number; nothing of other values.
std::optional<double> number_in(const std::string& json) {
  double value = 0.0;
  const char* const end = json.data() + json.size();
  const auto [stop, error] = std::from_chars(json.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

bool comes_before(const std::string& a, const std::string& b) {
  const std::optional<double> left = number_in(a);
  const std::optional<double> right = number_in(b);
  if (left && right && *left != *right) return *left < *right;
  if (left.has_value() != right.has_value()) return left.has_value();
  return a < b;
}

void add_values(const search::ConfigText& config, ExportedProblem& problem) {
  for (const auto& [name, value] : config) {
    auto knob = std::ranges::find(problem.knobs, name, &ExportedKnob::name);
    if (knob == problem.knobs.end()) {
      problem.knobs.push_back({.name = name});
      knob = problem.knobs.end() - 1;
    }
    const auto place = std::ranges::lower_bound(knob->values, value, comes_before);
    if (place == knob->values.end() || *place != value) knob->values.insert(place, value);
  }
}

std::string padded(std::int64_t number, std::size_t digits) {
  const std::string text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

std::map<std::string, ExportedProblem> numbered(const search::AskedSearch& asked) {
  std::map<std::string, ExportedProblem> problems;
  int number = 0;
  for (const search::AskedScenario& scenario : asked.scenarios) {
    problems[scenario.name].number = ++number;
  }
  return problems;
}

}  // namespace

ExportedStudy exported_study(const fs::path& journal, const search::AskedSearch& asked) {
  return {.study = search::read_study(journal, asked), .journal = search::read_journal(journal)};
}

void for_each_study(const fs::path& folder, const std::function<void(const ExportedStudy&)>& each) {
  const search::AskedSearch asked = search::asked_of(folder);
  for (const fs::path& journal : search::journals_of(folder)) {
    if (search::has_header(journal)) each(exported_study(journal, asked));
  }
}

std::vector<int> ExportedProblem::positions(const search::ConfigText& config) const {
  std::vector<int> all;
  for (const ExportedKnob& knob : knobs) {
    const auto found =
        std::ranges::find(config, knob.name, [](const auto& entry) { return entry.first; });
    int position = -1;
    if (found != config.end()) {
      const auto value = std::ranges::find(knob.values, found->second);
      position = static_cast<int>(value - knob.values.begin());
    }
    all.push_back(position);
  }
  return all;
}

ExportedSearch exported_search(const fs::path& folder) {
  ExportedSearch search{.asked = search::asked_of(folder)};
  search.problems = numbered(search.asked);
  for (const fs::path& journal : search::journals_of(folder)) {
    if (!search::has_header(journal)) continue;
    const search::JournalFile file = search::read_journal(journal);
    ExportedProblem& problem = search.problems[file.header.scenario];
    for (const search::JournalLine& line : file.lines) add_values(line.config, problem);
    search.runs[{file.header.searcher, file.header.scenario}].push_back(journal);
  }
  return search;
}

std::optional<double> worth_of(const search::StudyLaunch& launch) {
  if (launch.state != scenarios::TrialState::complete) return std::nullopt;
  const std::optional<double> known = launch.true_value();
  return known ? known : launch.value;
}

std::string clock_text(double hours) {
  constexpr std::int64_t micro = 1'000'000;
  constexpr std::int64_t day = 86'400;
  const std::int64_t all = std::llround(hours * 3600.0 * micro);
  const std::int64_t seconds = all / micro;
  const std::chrono::year_month_day date(
      std::chrono::sys_days(std::chrono::days(static_cast<int>(seconds / day))));
  return padded(static_cast<int>(date.year()), 4) + "-" +
         padded(static_cast<unsigned>(date.month()), 2) + "-" +
         padded(static_cast<unsigned>(date.day()), 2) + "T" + padded(seconds / 3600 % 24, 2) + ":" +
         padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2) + "." +
         padded(all % micro, 6);
}

}  // namespace cubicbench::results
