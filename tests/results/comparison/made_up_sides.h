#pragma once

#include <string>
#include <vector>

#include "results/comparison/paired_scores.h"

namespace cubicbench::results {

/// A side with the problems "a" and "b": scores[p][s] is that of problem p with seed s.
inline ComparedSide made_up_side(const std::string& name,
                                 const std::vector<std::vector<double>>& scores) {
  ComparedSide side{.name = name,
                    .version = "1.0.0",
                    .searcher = "random",
                    .start = "baseline",
                    .telling = "reason",
                    .command = "cubicbench search a b --out " + name};
  for (std::size_t p = 0; p < scores.size(); ++p) {
    ComparedProblem problem{.scenario = std::string(1, static_cast<char>('a' + p)),
                            .scenario_sha256 = "s",
                            .truth_sha256 = "t",
                            .trials = 10,
                            .curve = std::vector<double>(curve_points, scores[p].front())};
    for (std::size_t s = 0; s < scores[p].size(); ++s) {
      problem.seeds[static_cast<std::int64_t>(s)] = {.score = scores[p][s],
                                                     .best_found = scores[p][s] + 0.1,
                                                     .failed_share = 0.5,
                                                     .gpu_hours = 100.0};
    }
    side.problems.push_back(problem);
  }
  return side;
}

}  // namespace cubicbench::results
