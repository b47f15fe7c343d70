#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "results/comparison/comparison.h"
#include "results/document/document.h"

namespace cubicbench::results {

/// What `compare --json` prints [docs/reference/json-documents.md].
nlohmann::ordered_json comparison_json(const Comparison& comparison);

/// The verdict in a sentence, what it rests on, and a row per problem.
Document comparison_document(const Comparison& comparison);

/// The verdict, why, and what would decide: "worse: ...".
std::string verdict_sentence(const Comparison& comparison);

/// "+1.23 %": a difference of scores as a share of the gap.
std::string signed_share(double difference);
/// "-0.50 % to +1.20 %"; "no bound" at an end where there are too few seeds.
std::string bounds_text(const std::optional<double>& low, const std::optional<double>& high);

}  // namespace cubicbench::results
