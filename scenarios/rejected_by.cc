#include "scenarios/rejected_by.h"

#include "scenarios/input_error.h"
#include "scenarios/space_specs.h"

namespace cubicbench::scenarios {

std::vector<std::pair<std::string, std::uint64_t>> rejected_by(const SearchSpace& space,
                                                               const std::string& where) {
  const std::vector<ParameterSpec> parameters = parameter_specs(space);
  std::vector<std::pair<std::string, std::uint64_t>> rejected;
  std::vector<ConstraintSpec> earlier;
  std::uint64_t allowed = 0;
  for (ConstraintSpec& constraint : constraint_specs(space)) {
    const BuiltSpace without = SearchSpace::build(parameters, earlier, space.base(), space.facts());
    if (!without.problems.empty()) {
      throw InputError(where + "#/space" + without.problems.front().pointer,
                       "without constraint \"" + constraint.name + "\" and those after it, " +
                           without.problems.front().text);
    }
    const std::uint64_t left = without.space.count();
    if (!rejected.empty()) rejected.back().second = allowed - left;
    allowed = left;
    rejected.emplace_back(constraint.name, 0);
    earlier.push_back(std::move(constraint));
  }
  if (!rejected.empty()) rejected.back().second = allowed - space.count();
  return rejected;
}

}  // namespace cubicbench::scenarios
