#include "results/comparison/paired_scores.h"

#include <algorithm>
#include <cstddef>

#include "results/document/number_text.h"
#include "support/input_error.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

using support::Problem;

std::string anew(const ComparedSide& side) {
  return side.command.empty() ? "" : "; this makes it anew: " + side.command;
}

/// Why two problems of one name cannot be compared.
void check_problem(const ComparedSide& baseline, const ComparedProblem& of_baseline,
                   const ComparedSide& candidate, const ComparedProblem& of_candidate,
                   std::vector<Problem>& problems) {
  const auto differs = [&](const std::string& what) {
    problems.push_back({candidate.name, "expected the " + what + " of " + baseline.name + " for " +
                                            problem_name(of_baseline) +
                                            ", got another: their results cannot be compared" +
                                            (problems.empty() ? anew(baseline) : "")});
  };
  if (of_baseline.scenario_sha256 != of_candidate.scenario_sha256) {
    differs("scenario_sha256");
  } else if (of_baseline.truth_sha256 != of_candidate.truth_sha256) {
    differs("truth_sha256");
  } else if (of_baseline.trials != of_candidate.trials) {
    problems.push_back({candidate.name, "expected a budget of " +
                                            std::to_string(of_baseline.trials) + " launches for " +
                                            problem_name(of_baseline) + ", as " + baseline.name +
                                            " has, got " + std::to_string(of_candidate.trials)});
  }
}

const ComparedProblem* same_problem(const ComparedSide& side, const ComparedProblem& problem) {
  const auto found = std::ranges::find_if(side.problems, [&](const ComparedProblem& other) {
    return other.scenario == problem.scenario && other.instance == problem.instance;
  });
  return found == side.problems.end() ? nullptr : &*found;
}

bool all_have(const PairedScores& pairs, std::int64_t seed) {
  return std::ranges::all_of(pairs.problems, [&](const PairedScores::Problem& problem) {
    return problem.baseline->seeds.contains(seed) && problem.candidate->seeds.contains(seed);
  });
}

/// Seeds of `side` that have no partner everywhere.
std::size_t left_out(const PairedScores& pairs,
                     const ComparedProblem* PairedScores::Problem::*side) {
  std::map<std::int64_t, bool> all;
  for (const PairedScores::Problem& problem : pairs.problems) {
    for (const auto& [seed, numbers] : (problem.*side)->seeds) all[seed] = true;
  }
  return all.size() - pairs.seeds.size();
}

void note_problems(const ComparedSide& side, const PairedScores& pairs,
                   const ComparedProblem* PairedScores::Problem::*of, PairedScores& noted) {
  std::vector<std::string> names;
  for (const ComparedProblem& problem : side.problems) {
    const bool paired = std::ranges::any_of(
        pairs.problems, [&](const PairedScores::Problem& pair) { return pair.*of == &problem; });
    if (!paired) names.push_back(problem_name(problem));
  }
  if (names.empty()) return;
  noted.notes.push_back("Left out, as only " + side.name + " has " +
                        (names.size() == 1 ? "it: " : "them: ") + support::joined(names, ", ") +
                        ".");
}

void note_seeds(const ComparedSide& side, std::size_t seeds, PairedScores& pairs) {
  if (seeds == 0) return;
  pairs.notes.push_back("Left out of " + side.name + ": " + counted(seeds, "seed", "seeds") +
                        " that not every problem has on both sides.");
}

void note_settings(const ComparedSide& a, const ComparedSide& b, PairedScores& pairs) {
  const auto note = [&](const char* option, const std::string& of_a, const std::string& of_b) {
    if (of_a == of_b) return;
    pairs.notes.push_back("The sides differ in " + std::string(option) + ": " + of_a + " and " +
                          of_b + ".");
  };
  note("--start", a.start, b.start);
  note("--telling", a.telling, b.telling);
  note("--slots", std::to_string(a.slots), std::to_string(b.slots));
  note("--warm-start", a.is_warm ? "told launches first" : "told nothing",
       b.is_warm ? "told launches first" : "told nothing");
  note("--permute", a.permute ? "permuted" : "as written", b.permute ? "permuted" : "as written");
}

}  // namespace

std::string problem_name(const ComparedProblem& problem) {
  if (problem.instance == 0) return problem.scenario;
  return problem.scenario + ", instance " + std::to_string(problem.instance);
}

std::vector<double> PairedScores::differences(const Problem& problem,
                                              double StudyNumbers::*number) const {
  std::vector<double> all;
  for (const std::int64_t seed : seeds) {
    all.push_back(problem.candidate->seeds.at(seed).*number -
                  problem.baseline->seeds.at(seed).*number);
  }
  return all;
}

std::vector<double> PairedScores::mean_differences(double StudyNumbers::*number) const {
  std::vector<double> sums(seeds.size(), 0.0);
  for (const Problem& problem : problems) {
    const std::vector<double> of = differences(problem, number);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += of[i];
  }
  for (double& sum : sums) sum /= static_cast<double>(problems.size());
  return sums;
}

double PairedScores::mean(const ComparedProblem* Problem::*side,
                          double StudyNumbers::*number) const {
  double sum = 0.0;
  for (const Problem& problem : problems) {
    for (const std::int64_t seed : seeds) sum += (problem.*side)->seeds.at(seed).*number;
  }
  return sum / static_cast<double>(problems.size() * seeds.size());
}

PairedScores paired_scores(const ComparedSide& baseline, const ComparedSide& candidate) {
  std::vector<Problem> problems;
  if (baseline.version != candidate.version) {
    problems.push_back({candidate.name, "expected studies of version " + baseline.version +
                                            ", as " + baseline.name + " has, got version " +
                                            candidate.version + anew(baseline)});
  }
  PairedScores pairs;
  for (const ComparedProblem& problem : baseline.problems) {
    const ComparedProblem* const other = same_problem(candidate, problem);
    if (other == nullptr) continue;
    check_problem(baseline, problem, candidate, *other, problems);
    pairs.problems.push_back({.baseline = &problem, .candidate = other});
  }
  if (pairs.problems.empty()) {
    problems.push_back({candidate.name, "expected a problem that " + baseline.name +
                                            " has too, got none" + anew(baseline)});
  }
  support::throw_if_any(problems);
  for (const auto& [seed, numbers] : pairs.problems.front().baseline->seeds) {
    if (all_have(pairs, seed)) pairs.seeds.push_back(seed);
  }
  if (pairs.seeds.empty()) {
    throw support::InputError(candidate.name,
                              "expected a seed that every problem has on both sides, "
                              "got none" +
                                  anew(baseline));
  }
  note_problems(baseline, pairs, &PairedScores::Problem::baseline, pairs);
  note_problems(candidate, pairs, &PairedScores::Problem::candidate, pairs);
  note_seeds(baseline, left_out(pairs, &PairedScores::Problem::baseline), pairs);
  note_seeds(candidate, left_out(pairs, &PairedScores::Problem::candidate), pairs);
  note_settings(baseline, candidate, pairs);
  return pairs;
}

}  // namespace cubicbench::results
