#include "datasets/problem/problem_head.h"

#include <array>

#include "scenarios/readers/campaign_reader.h"
#include "scenarios/readers/description_reader.h"

namespace cubicbench::datasets {

void read_problem_head(support::ObjectReader& in, scenarios::Scenario& scenario,
                       std::vector<support::Problem>& problems) {
  in.one_of("schema", std::array{scenario_schema});
  in.allow("version");
  scenario.name = in.string("name");
  scenarios::check_name(scenario.name, in.where("name"), problems);
  scenario.summary = in.string("summary", "");
}

void read_problem_budget(support::ObjectReader& in, scenarios::Scenario& scenario) {
  auto budget = in.optional_object("budget");
  if (!budget) return;
  scenario.budget.trials =
      budget->integer("trials", 1, scenarios::trials_max, scenario.budget.trials);
  budget->finish();
}

}  // namespace cubicbench::datasets
