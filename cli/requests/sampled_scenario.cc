#include "cli/requests/sampled_scenario.h"

#include "cli/options/shared_options.h"
#include "datasets/problem/table_scenario.h"
#include "support/input_error.h"

namespace cubicbench::cli {

scenarios::Scenario sampled_scenario(const std::string& name, const std::vector<std::string>& sets,
                                     const std::optional<std::string>& salt,
                                     std::uint64_t instance) {
  using support::InputError;
  const auto seal = seal_of(salt, name, instance);
  scenarios::Scenario scenario = datasets::read_scenario(name, sets, seal);
  scenario.seal = seal;
  if (scenario.measured) {
    throw InputError(name,
                     "expected a scenario with a model, got a table of runs: what was never "
                     "measured has no value");
  }
  if (scenario.space.count() == 0) {
    throw InputError(name + "#/space/constraints",
                     "expected a configuration that they allow, got none");
  }
  return scenario;
}

}  // namespace cubicbench::cli
