#include "results/searches/search_rounds.h"

#include <algorithm>
#include <map>
#include <utility>

#include "results/document/series_look.h"

namespace cubicbench::results {
namespace {

std::size_t count_of(const std::vector<std::int64_t>& rounds) {
  return rounds.empty() ? 0 : static_cast<std::size_t>(std::ranges::max(rounds)) + 1;
}

}  // namespace

bool has_rounds(const SearcherCurves& curves) {
  return std::ranges::any_of(curves.studies, [](const search::StudyResult* study) {
    return std::ranges::any_of(study->launches,
                               [](const search::StudyLaunch& launch) { return launch.round > 0; });
  });
}

std::vector<std::int64_t> rounds_of(const SearcherCurves& curves, bool hide_failures) {
  if (!has_rounds(curves)) return {};
  std::vector<std::int64_t> rounds;
  std::int64_t latest = 0;
  for (const CurveJob& job : jobs_of(*curves.studies.front(), hide_failures)) {
    latest = std::max<std::int64_t>(latest, job.of->round);
    if (job.plotted_at) rounds.resize(static_cast<std::size_t>(*job.plotted_at), latest);
  }
  rounds.resize(std::max(rounds.size(), places_of(curves, hide_failures)), latest);
  return rounds;
}

std::vector<Series> colored_by_round(const Series& whole, const std::vector<std::int64_t>& rounds) {
  const std::size_t count = count_of(rounds);
  std::map<std::size_t, Series> by_round;
  const bool connected = whole.style != SeriesStyle::dots;
  for (std::size_t i = 0; i < whole.points.size(); ++i) {
    const auto place = static_cast<std::size_t>(whole.points[i].x);
    const auto round = static_cast<std::size_t>(rounds[place - 1]);
    const auto [found, is_new] = by_round.try_emplace(round, whole);
    Series& piece = found->second;
    if (is_new) {
      piece.color = sequential_color(round, count);
      piece.points.clear();
      if (connected && i > 0) piece.points.push_back(whole.points[i - 1]);
    }
    piece.points.push_back(whole.points[i]);
  }
  std::vector<Series> pieces;
  for (auto& [round, piece] : by_round) pieces.push_back(std::move(piece));
  return pieces;
}

std::vector<Series> round_keys(const Series& key, const std::vector<std::int64_t>& rounds) {
  const std::size_t count = count_of(rounds);
  constexpr std::size_t all_shown_max = 3;
  constexpr std::size_t shown_of_more = 3;
  const std::size_t shown = count <= all_shown_max ? count : shown_of_more;
  std::vector<Series> keys;
  for (std::size_t i = 0; i < shown; ++i) {
    // Evenly spread, and exactly the first and the last.
    const std::size_t round = shown == 1 ? 0 : (i * (count - 1) + (shown - 1) / 2) / (shown - 1);
    keys.push_back(key);
    keys.back().title = "round " + std::to_string(round);
    keys.back().color = sequential_color(round, count);
  }
  return keys;
}

}  // namespace cubicbench::results
