#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "search/folder/campaign.h"

namespace cubicbench::search {

/// The largest first seed or instance that a plan holds.
inline constexpr std::int64_t first_max = 2'147'483'647;

/// The text of plan.json: what was asked, by what each scenario judges, and which truths were
/// searched. `truths` holds the
/// truth_sha256 of each instance of each scenario of the plan; none where trials really run.
std::string plan_text(const SearchPlan& plan, const std::vector<std::vector<std::string>>& truths);

/// Throws InputError, with every problem, for a plan that cannot be.
void check_plan(const SearchPlan& plan);

/// Launches a study of that scenario may make.
std::int64_t budget_of(const SearchPlan& plan, const scenarios::Scenario& scenario);

}  // namespace cubicbench::search
