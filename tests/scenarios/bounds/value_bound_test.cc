// No configuration is better than the bound of a part that it lies in.
#include "scenarios/bounds/value_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/truth/true_values.h"
#include "sim/base/philox.h"
#include "tests/draws_asked.h"
#include "tests/scenarios/scenario_suite.h"

namespace cubicbench::scenarios {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class SpaceDice {
 public:
  explicit SpaceDice(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t below(std::uint64_t count) {
    return sim::uniform_below(
        {.seed = seed_, .purpose = sim::Purpose::space_sample, .entity = 0, .draw = next_++},
        count);
  }

 private:
  std::uint64_t seed_;
  std::uint32_t next_ = 0;
};

struct SmallSpace {
  Scenario scenario;
  bool whole = true;  ///< no constraint, and no condition that joins both sides
};

/// Some parameters of a scenario's space in any order, with some of their values, on devices that
/// hold more or less.
SmallSpace small_space(const std::string& name, std::uint64_t seed) {
  SpaceDice dice(seed);
  SmallSpace small{.scenario = read_scenario(name)};
  const SearchSpace& space = small.scenario.space;
  std::vector<ParameterSpec> specs;
  std::size_t configurations = 1;
  std::vector<Parameter> left = space.parameters();
  while (!left.empty() && configurations < 500) {
    const auto chosen = left.begin() + static_cast<std::ptrdiff_t>(dice.below(left.size()));
    const Parameter parameter = *chosen;
    left.erase(chosen);
    ParameterSpec spec{.name = std::string(parameter.setting->name),
                       .type = parameter.type,
                       .values = parameter.values,
                       .when = {}};
    while (spec.values.size() > 1 && dice.below(2) == 0) {
      spec.values.erase(spec.values.begin() +
                        static_cast<std::ptrdiff_t>(dice.below(spec.values.size())));
    }
    if (!specs.empty() && dice.below(5) == 0) {
      const ParameterSpec& parent = specs[dice.below(specs.size())];
      spec.when.push_back({parent.name, {parent.values[dice.below(parent.values.size())]}});
      small.whole = false;
    }
    configurations *= spec.values.size();
    specs.push_back(std::move(spec));
  }
  std::vector<ConstraintSpec> constraints;
  if (dice.below(3) == 0) {
    small.whole = false;
    constraints.push_back({"some", dice.below(2) == 0 ? "wrap == 1 or compile == 1"
                                                      : "batch_per_gpu > 2000 or wrap > 1 or "
                                                        "embedding_kernel == 0"});
  }
  BuiltSpace built = SearchSpace::build(specs, constraints, small.scenario.settings, space.facts());
  EXPECT_TRUE(built.problems.empty());
  small.scenario.space = std::move(built.space);
  if (dice.below(2) == 0) small.scenario.truth.numeric = "assumed-2026";
  small.scenario.cluster.device.memory *= 0.6 + 0.1 * static_cast<double>(dice.below(6));
  return small;
}

/// The best value of each part of the space.
std::map<Configuration, double> best_of_parts(const Instance& instance) {
  const SearchSpace& space = instance.scenario().space;
  std::map<Configuration, double> best;
  TrueValues values(instance);
  Configuration configuration(space.size());
  for (std::uint64_t i = 0; i < space.count(); ++i) {
    space.configuration_at(i, configuration);
    const TrueValue value = values.at(configuration);
    for (std::size_t decided = 0; decided <= space.size(); ++decided) {
      const Configuration part(configuration.begin(),
                               configuration.begin() + static_cast<std::ptrdiff_t>(decided));
      double& known = best.try_emplace(part, -infinity).first->second;
      if (value.reason == Reason::none) known = std::max(known, value.value);
    }
  }
  return best;
}

TEST(ValueBound, OfSmallSpacesIsTheBestOfEachPart) {
  const std::vector<std::string> names{"ads-73b", "ads-73b-table-heavy-a100", "dlrm-dcnv2-64gpu",
                                       "ads-73b-dense-heavy"};
  std::size_t exact = 0;
  std::size_t failing = 0;
  for (std::uint64_t seed = 0; seed < draws_asked(24) && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const SmallSpace small = small_space(names[seed % names.size()], seed);
    const Instance instance(small.scenario, seed % 3);
    ValueBound bound(instance);
    for (const auto& [part, best] : best_of_parts(instance)) {
      Configuration configuration(small.scenario.space.size(), 77);  // not to be read
      std::copy(part.begin(), part.end(), configuration.begin());
      const double least = bound.upper_bound(configuration, part.size());
      EXPECT_GE(least, best) << part.size() << " decided";
      if (!small.whole) continue;
      if (best == -infinity) {
        EXPECT_EQ(least, best) << part.size() << " decided";
        ++failing;
      } else {
        EXPECT_LE(least, best * (1.0 + 1e-11)) << part.size() << " decided";
        ++exact;
      }
    }
  }
  EXPECT_GT(exact, 0u);
  EXPECT_GT(failing, 0u);
}

TEST(ValueBound, IsTheSameForPartsThatReachWhatIsAskedForAndShortOfItForOthers) {
  std::size_t reaching = 0;
  std::size_t others = 0;
  for (std::uint64_t seed = 0; seed < draws_asked(12) && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const SmallSpace small = small_space(seed % 2 == 0 ? "ads-73b" : "dlrm-dcnv2-64gpu", seed);
    const Instance instance(small.scenario, seed % 3);
    ValueBound bound(instance);
    ValueBound asked(instance);
    const std::map<Configuration, double> best = best_of_parts(instance);
    std::size_t turn = 0;
    for (const auto& [part, best_of_part] : best) {
      Configuration configuration(small.scenario.space.size(), 77);  // not to be read
      std::copy(part.begin(), part.end(), configuration.begin());
      // What is remembered for one value is asked for with a better one and with a worse one.
      const double reached = best.at({}) * (0.8 + 0.1 * static_cast<double>(turn++ % 3));
      const double whole = bound.upper_bound(configuration, part.size());
      const double found = asked.upper_bound(configuration, part.size(), reached);
      if (whole >= reached) {
        EXPECT_EQ(found, whole) << part.size() << " decided";
        ++reaching;
      } else {
        EXPECT_LT(found, reached) << part.size() << " decided";
        ++others;
      }
    }
  }
  EXPECT_GT(reaching, 0u);
  EXPECT_GT(others, 0u);
}

class BoundOfLibrary : public testing::TestWithParam<std::string> {};

TEST_P(BoundOfLibrary, IsNotExceeded) {
  const Scenario scenario = read_scenario(GetParam());
  const Instance instance(scenario, 2);
  TrueValues values(instance);
  ValueBound bound(instance);
  const std::size_t size = scenario.space.size();
  const double worst = scenario.objective.direction == Direction::maximize ? -infinity : infinity;
  Configuration drawn(size);
  for (std::uint64_t draw = 0; draw < draws_asked(3); ++draw) {
    scenario.space.sample(33, draw, drawn);
    const TrueValue value = values.at(drawn);
    double above = -worst;
    for (std::size_t decided = 0; decided <= size; ++decided) {
      const double here = bound.upper_bound(drawn, decided);
      if (value.reason == Reason::none) {
        EXPECT_TRUE(worst < 0.0 ? here >= value.value : here <= value.value)
            << "draw " << draw << ", " << decided << " decided: " << here << " " << value.value;
      }
      // Rounding aside, a part is no better than the whole.
      EXPECT_TRUE(worst < 0.0 ? here <= above * (1.0 + 1e-9) : here * (1.0 + 1e-9) >= above)
          << "draw " << draw << ", " << decided << " decided";
      above = here;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Library, BoundOfLibrary, testing::ValuesIn(model_scenarios()),
                         name_in_suite);

}  // namespace
}  // namespace cubicbench::scenarios
