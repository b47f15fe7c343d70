#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/explanation/explanation.h"

namespace cubicbench::results {

/// The document of `explain --json`: schema cubicbench.explain/1
/// [docs/reference/json-documents.md]. Of a plan without a step, terms and differences of time are
/// empty.
nlohmann::ordered_json explanation_json(const Explanation& explanation);

/// "best_change", "pair_makes_it_fit": what a piece of advice is.
std::string_view name_of(datasets::AdviceKind kind);

}  // namespace cubicbench::results
