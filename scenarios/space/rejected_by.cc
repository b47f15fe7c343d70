#include "scenarios/space/rejected_by.h"

#include "scenarios/space/rules_diagram.h"
#include "support/input_error.h"

namespace cubicbench::scenarios {

std::vector<std::pair<std::string, std::uint64_t>> rejected_by(const SearchSpace& space,
                                                               const std::string& where) {
  SpaceRules earlier = space.rules();
  earlier.constraints.clear();
  std::vector<std::pair<std::string, std::uint64_t>> rejected;
  std::uint64_t allowed = 0;
  for (const Constraint& constraint : space.constraints()) {
    const BuiltDiagram without = rules_diagram(earlier, LayerOrder::narrow);
    if (without.problem) {
      throw support::InputError(where + "#/space" + without.problem->pointer,
                                "without constraint \"" + constraint.name +
                                    "\" and those after it, " + without.problem->text);
    }
    const std::uint64_t left = without.diagram.count();
    if (!rejected.empty()) rejected.back().second = allowed - left;
    allowed = left;
    rejected.emplace_back(constraint.name, 0);
    earlier.constraints.push_back(constraint);
  }
  if (!rejected.empty()) rejected.back().second = allowed - space.count();
  return rejected;
}

}  // namespace cubicbench::scenarios
