// Our tpe against Optuna's, given one stored history: what comes next.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/statistics/holm.h"
#include "support/statistics/normal.h"
#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::ParameterSpec;
using scenarios::SearchSpace;

/// tests/search/tpe/optuna.txt, which scripts/tpe_cases.py wrote and explains.
struct Stored {
  struct Counts {
    std::string searcher;
    std::size_t knob = 0;
    std::vector<double> times;  ///< of each value that was proposed, the first of none
  };

  std::vector<ParameterSpec> knobs;
  std::vector<ToldTrial> history;
  std::vector<Counts> counts;
};

ParameterSpec knob_of(std::istringstream& line, const std::vector<ParameterSpec>& before) {
  constexpr std::array names{"tensor_parallel", "pipeline_parallel", "sharding", "virtual_stages",
                             "micro_batch",     "recompute",         "wrap",     "global_batch"};
  std::string kind;
  std::int64_t values = 0;
  line >> kind >> values;
  const std::string name = names.at(before.size());
  ParameterSpec knob =
      kind == "ordinal" ? ordinal(name, run_of(values)) : categorical(name, run_of(values, 0));
  if (std::size_t parent = 0; line >> parent) {
    knob.when.push_back({.name = before[parent].name, .values = {}});
    for (std::size_t value = 0; line >> value;) {
      knob.when.back().values.push_back(before[parent].values[value]);
    }
  }
  return knob;
}

ToldTrial trial_of(std::istringstream& line, std::size_t knobs, std::size_t number) {
  Configuration config(knobs);
  for (std::int64_t& value : config) line >> value;
  ToldTrial trial = told(static_cast<std::int64_t>(number), config);
  std::string score;
  line >> score;
  if (score == "fail") {
    trial.state = scenarios::TrialState::fail;
    trial.reason = scenarios::Reason::oom_init;
    line >> trial.over_bytes.emplace();
  } else {
    trial.score = std::stod(score);
  }
  return trial;
}

Stored::Counts counts_of(const std::string& name, std::istringstream& line) {
  std::string candidates;
  Stored::Counts counts;
  line >> candidates >> counts.knob;
  counts.searcher = name + ":candidates=" + candidates;
  for (double times = 0.0; line >> times;) counts.times.push_back(times);
  return counts;
}

Stored stored() {
  Stored read;
  std::ifstream in(CUBICBENCH_SOURCE_DIR "/tests/search/tpe/optuna.txt");
  for (std::string text; std::getline(in, text);) {
    std::istringstream line(text);
    std::string name;
    line >> name;
    if (name == "knob") {
      read.knobs.push_back(knob_of(line, read.knobs));
    } else if (name == "trial") {
      read.history.push_back(trial_of(line, read.knobs.size(), read.history.size()));
    } else if (name != "#") {
      read.counts.push_back(counts_of(name, line));
    }
  }
  return read;
}

/// How often each value of each knob is next, over seeds; the first number is of none.
std::vector<std::vector<double>> proposed_next(const std::string& searcher, const Stored& read,
                                               const SearchSpace& space, std::uint64_t seeds) {
  std::vector<std::vector<double>> times;
  for (const auto& parameter : space.parameters()) times.emplace_back(parameter.values.size() + 1);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto ours = make(searcher, space, seed);
    for (const ToldTrial& trial : read.history) ours->tell(trial);
    const Configuration next = ours->ask()->config;
    for (std::size_t i = 0; i < next.size(); ++i) {
      times[i][static_cast<std::size_t>(next[i] + 1)] += 1.0;
    }
  }
  return times;
}

/// P of the chi-square test that two rows of counts are of one distribution; values with fewer than
/// ten counts are taken together. The tail is Wilson and Hilferty's.
double p_of_equal(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<std::pair<double, double>> cells{{0.0, 0.0}};
  double all_a = 0.0;
  double all_b = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    all_a += a[i];
    all_b += b[i];
    if (a[i] + b[i] >= 10.0) {
      cells.emplace_back(a[i], b[i]);
    } else {
      cells.front().first += a[i];
      cells.front().second += b[i];
    }
  }
  double chi_square = 0.0;
  double freedom = -1.0;
  for (const auto& [of_a, of_b] : cells) {
    const double both = of_a + of_b;
    if (both == 0.0) continue;
    freedom += 1.0;
    const double expected_a = both * all_a / (all_a + all_b);
    const double expected_b = both - expected_a;
    chi_square += (of_a - expected_a) * (of_a - expected_a) / expected_a +
                  (of_b - expected_b) * (of_b - expected_b) / expected_b;
  }
  if (freedom == 0.0) return 1.0;
  const double spread = 2.0 / (9.0 * freedom);
  return support::normal_tail((std::cbrt(chi_square / freedom) - 1.0 + spread) / std::sqrt(spread));
}

// 1,000 seeds of each searcher; Holm's adjustment over all knobs of all of them.
TEST(Tpe, ProposesNextWhatOptunaDoes) {
  const Stored read = stored();
  ASSERT_EQ(read.history.size(), 50U);
  const SearchSpace space = built(read.knobs);
  std::vector<double> p;
  std::vector<std::string> names;
  for (const std::string searcher :
       {"tpe:candidates=24", "tpe:candidates=2", "tpe-multivariate:candidates=24",
        "tpe-multivariate:candidates=2"}) {
    const auto ours = proposed_next(searcher, read, space, 1'000);
    for (const Stored::Counts& counts : read.counts) {
      if (counts.searcher != searcher) continue;
      ASSERT_EQ(counts.times.size(), ours[counts.knob].size());
      p.push_back(p_of_equal(ours[counts.knob], counts.times));
      names.push_back(searcher + ", knob " + std::to_string(counts.knob));
    }
  }
  ASSERT_EQ(p.size(), 4 * space.size());
  const std::vector<double> adjusted = support::holm_adjusted(p);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_GT(adjusted[i], 0.01) << names[i];
}

// The test would see another number of candidates.
TEST(Tpe, TellsTwoCandidatesFromThree) {
  const Stored read = stored();
  const SearchSpace space = built(read.knobs);
  const auto ours = proposed_next("tpe:candidates=3", read, space, 1'000);
  for (const Stored::Counts& counts : read.counts) {
    if (counts.searcher != "tpe:candidates=2" || counts.knob != 0) continue;
    EXPECT_LT(p_of_equal(ours[0], counts.times), 1e-6);
  }
}

}  // namespace
}  // namespace cubicbench::search
