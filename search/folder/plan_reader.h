#pragma once

#include <string>

#include "search/folder/campaign.h"

namespace cubicbench::search {

/// Reads what a plan.json asks for (schema cubicbench.plan/1), to ask for it again. Of a
/// scenario only the name is needed, of a searcher its text; the numbers have the defaults of the
/// command line. Scenarios come from the library, and where the file has `scenario_sha256` it must
/// be that of the scenario found. Of sealed instances it knows the salt's hash and not the salt,
/// which the caller has to bring. Throws InputError with every problem.
SearchPlan read_plan(const std::string& path);

}  // namespace cubicbench::search
