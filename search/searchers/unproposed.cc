#include "search/searchers/unproposed.h"

namespace cubicbench::search {

std::optional<scenarios::Configuration> Unproposed::take_random() {
  while (passed_ < space_.count()) {
    const std::uint64_t number = order_(passed_);
    ++passed_;
    if (!taken_.insert(number).second) continue;
    scenarios::Configuration configuration(space_.size());
    space_.configuration_at(number, configuration);
    return configuration;
  }
  return std::nullopt;
}

}  // namespace cubicbench::search
