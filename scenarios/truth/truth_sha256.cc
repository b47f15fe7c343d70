#include <cstdint>
#include <string>

#include "scenarios/truth/instance.h"
#include "support/json/canonical.h"
#include "support/sha256.h"

namespace cubicbench::scenarios {
namespace {

/// Names the 63 configurations. Part of every recorded result: never changes.
constexpr std::uint64_t sample_seed = 0x7472757468;
constexpr std::uint64_t sample_size = 63;

std::string text_of(const TrueValue& value) {
  return value.reason == Reason::none ? support::shortest(value.value)
                                      : std::string(name_of(value.reason));
}

}  // namespace

std::string truth_sha256(const Instance& instance) {
  const Scenario& scenario = instance.scenario();
  const SearchSpace& space = scenario.space;
  sim::Workspace workspace;
  const std::string sealed =
      instance.salt_sha256().empty() ? "" : "\nsalt_sha256 " + instance.salt_sha256();
  std::string text = "cubicbench truth\nscenario " + scenario.sha256 + "\ninstance " +
                     std::to_string(instance.number()) + sealed + "\nbaseline " +
                     text_of(instance.true_value(scenario.baseline, workspace)) + "\n";
  Configuration configuration(space.size());
  for (std::uint64_t draw = 0; draw < sample_size && space.count() > 0; ++draw) {
    space.sample(sample_seed, draw, configuration);
    text += std::to_string(space.number_of(configuration)) + " " +
            text_of(instance.true_value(configuration, workspace)) + "\n";
  }
  return support::sha256_hex(text);
}

}  // namespace cubicbench::scenarios
