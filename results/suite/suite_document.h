#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "datasets/exhaustive/enumeration.h"
#include "datasets/landscape/landscape.h"
#include "results/document/document.h"
#include "results/score/suite_score.h"
#include "scenarios/readers/suite_reader.h"

namespace cubicbench::results {

/// One problem of a suite, as far as anybody knows it.
struct SuiteCard {
  scenarios::Scenario scenario;
  std::int64_t trials = 0;
  datasets::Enumeration space;  ///< all of it, valued
  datasets::Landscape landscape;
};

/// What searchers that were granted the baseline score, and those that were not; nothing where
/// nobody searched.
struct SuiteScores {
  std::optional<SuiteScore> from_baseline{};
  std::optional<SuiteScore> from_nothing{};
};

/// What makes a problem hard, told by what it is: how rare good configurations are, how many run
/// out of memory, and where climbs from the baseline end.
std::string hardness(const SuiteCard& card);

/// A suite on a page: what it scores, the scores where somebody searched it, what differences it
/// can see, and a card per problem with its distribution, properties, optimum and what is hard
/// about it.
Document suite_document(const scenarios::Suite& suite, const std::vector<SuiteCard>& cards,
                        const SuiteScores& scores);

/// The same as `--json` prints it: `{"suite", "problems": [..], "scores": {"baseline", "none"}}`.
nlohmann::ordered_json suite_json(const scenarios::Suite& suite,
                                  const std::vector<SuiteCard>& cards, const SuiteScores& scores);

}  // namespace cubicbench::results
