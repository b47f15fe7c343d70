#pragma once

#include <memory>
#include <span>
#include <string>

#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

/// Reads any scenario: one with a model by scenarios::read_scenario(), one with a "table" from its
/// measured runs [docs/reference/scenario-file.md]. Its space is the set of the table's
/// configurations (one a row that `where` admits, repeats being attempts), its outcomes are in
/// Scenario::measured. Values come from rows of quality `ok`, failures also from `early_pp`.
/// Overrides of a table scenario are settings only; one of trials (trial_scenario.h) has none.
/// Everything to the right of this room reads scenarios here. "NAME@K" is member K of a family
/// [docs/families.md], drawn from the salt where there is a `seal`, which says nothing to other
/// scenarios: their callers seal instances. Throws InputError with every problem.
scenarios::Scenario read_scenario(const std::string& name_or_path,
                                  std::span<const std::string> sets = {},
                                  const std::shared_ptr<const scenarios::Seal>& seal = nullptr);

/// The same of a scenario whose steps are to be simulated, with the GPUs that its baseline takes as
/// its cluster, so that ranks and places are theirs, and sealed where there is a `seal`. Throws
/// InputError for a table of runs too.
scenarios::Scenario read_simulated(const std::string& name_or_path,
                                   std::span<const std::string> sets,
                                   const std::shared_ptr<const scenarios::Seal>& seal);

}  // namespace cubicbench::datasets
