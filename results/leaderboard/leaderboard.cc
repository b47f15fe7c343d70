#include "results/leaderboard/leaderboard.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "results/embedded.h"
#include "results/score/suite_score.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "support/input_error.h"

namespace cubicbench::results {
namespace {

double mean_of(const ComparedProblem& problem, double StudyNumbers::*number) {
  double sum = 0.0;
  for (const auto& [seed, numbers] : problem.seeds) sum += numbers.*number;
  return sum / static_cast<double>(problem.seeds.size());
}

template <typename Number>
double mean_over(const std::vector<ComparedProblem>& problems, const Number& number) {
  double sum = 0.0;
  for (const ComparedProblem& problem : problems) sum += number(problem);
  return sum / static_cast<double>(problems.size());
}

support::Interval interval_of(const ComparedSide& entry) {
  std::vector<std::vector<double>> groups;
  for (const ComparedProblem& problem : entry.problems) {
    groups.emplace_back();
    for (const auto& [seed, numbers] : problem.seeds) groups.back().push_back(numbers.score);
  }
  return score_interval(groups);
}

BoardRow row_of(const ComparedSide& entry) {
  const auto mean = [&](double StudyNumbers::*number) {
    return mean_over(entry.problems,
                     [&](const ComparedProblem& problem) { return mean_of(problem, number); });
  };
  BoardRow row{.searcher = entry.searcher,
               .telling = entry.telling,
               .seeds = std::numeric_limits<std::int64_t>::max(),
               .score = mean(&StudyNumbers::score),
               .interval = interval_of(entry),
               .failed_share = mean(&StudyNumbers::failed_share),
               .lost_to_noise = mean(&StudyNumbers::best_found) - mean(&StudyNumbers::score),
               .milliseconds = launch_milliseconds(entry.searcher)};
  row.gpu_hours = sim::exp(mean_over(entry.problems, [](const ComparedProblem& problem) {
    return sim::log(mean_of(problem, &StudyNumbers::gpu_hours));
  }));
  for (const ComparedProblem& problem : entry.problems) {
    row.seeds = std::min(row.seeds, std::ssize(problem.seeds));
    row.scores.push_back(mean_of(problem, &StudyNumbers::score));
  }
  for (std::size_t point = 0; point < curve_points; ++point) {
    row.curve.push_back(mean_over(
        entry.problems, [&](const ComparedProblem& problem) { return problem.curve[point]; }));
  }
  return row;
}

/// An entry with its problems in the order of the first one's. Throws InputError.
ComparedSide in_order(const ComparedSide& first, ComparedSide entry) {
  const PairedScores pairs = paired_scores(first, entry);
  if (pairs.problems.size() != first.problems.size() ||
      pairs.problems.size() != entry.problems.size()) {
    throw support::InputError(
        entry.name, "expected the " + std::to_string(first.problems.size()) + " problems of " +
                        first.name + ", got " + std::to_string(pairs.problems.size()) + " of them" +
                        (entry.problems.size() > pairs.problems.size() ? " and others" : ""));
  }
  std::vector<ComparedProblem> problems;
  for (const PairedScores::Problem& pair : pairs.problems) problems.push_back(*pair.candidate);
  entry.problems = std::move(problems);
  return entry;
}

void add_ranks(Leaderboard& board) {
  if (board.rows.size() < 2 || board.problems.size() < 2) return;
  std::vector<std::vector<double>> blocks(board.problems.size());
  for (std::size_t problem = 0; problem < blocks.size(); ++problem) {
    for (const BoardRow& row : board.rows) blocks[problem].push_back(row.scores[problem]);
  }
  board.friedman = support::friedman(blocks);
  board.critical_difference =
      support::nemenyi_critical_difference(board.rows.size(), blocks.size(), board_alpha);
  const auto last = static_cast<double>(board.rows.size());
  for (std::size_t i = 0; i < board.rows.size(); ++i) {
    board.rows[i].rank = last + 1.0 - board.friedman->mean_ranks[i];
  }
}

}  // namespace

bool Leaderboard::near_the_best(const BoardRow& row) const {
  const auto best = std::ranges::min(rows, {}, [](const BoardRow& of) { return *of.rank; });
  return *row.rank - *best.rank < critical_difference;
}

Leaderboard leaderboard_of(const std::vector<ComparedSide>& entries) {
  SIM_ASSERT(!entries.empty(), entries.size());
  const ComparedSide& first = entries.front();
  Leaderboard board{.suite = first.suite, .start = first.start, .version = first.version};
  for (ComparedProblem problem : first.problems) {
    problem.seeds.clear();
    board.problems.push_back(std::move(problem));
  }
  for (const ComparedSide& entry : entries) {
    BoardRow row = row_of(in_order(first, entry));
    const auto known = std::ranges::find(board.rows, row.searcher, &BoardRow::searcher);
    if (known != board.rows.end()) row.searcher += " (" + entry.name + ")";
    board.rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(board.rows, std::greater(), &BoardRow::score);
  add_ranks(board);
  return board;
}

std::optional<double> launch_milliseconds(const std::string& searcher) {
  static const nlohmann::json known = [] {
    const auto* const file = support::find_embedded(embedded_files(), "times/searchers.json");
    return file == nullptr ? nlohmann::json::object()
                           : nlohmann::json::parse(file->text)["milliseconds_per_launch"];
  }();
  const auto found = known.find(searcher);
  if (found == known.end()) return std::nullopt;
  return found->get<double>();
}

}  // namespace cubicbench::results
