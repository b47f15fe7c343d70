#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/document/document.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::results {

/// Every setting that `--set` takes: the document of `list settings --json`
/// [docs/reference/json-documents.md], and the same for people.
nlohmann::ordered_json settings_json();
Document settings_document();

/// The parameters of a scenario's space, what makes them active, its baseline, and the constraints:
/// `list parameters SCENARIO`.
nlohmann::ordered_json parameters_json(const scenarios::Scenario& scenario);
Document parameters_document(const scenarios::Scenario& scenario);

}  // namespace cubicbench::results
