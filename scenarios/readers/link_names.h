#pragma once

#include <string>

#include "scenarios/problem/scenario.h"

namespace cubicbench::scenarios {

/// How people call the links of a network.
struct LinkNames {
  std::string domain = "domain links";  ///< of a fast domain: "NVLink"
  std::string fabric = "fabric";        ///< between domains: "InfiniBand"
};

/// Those of the scenario's network. A network that is a file keeps the general names: where it lies
/// is not known any more.
LinkNames link_names(const Scenario& scenario);

}  // namespace cubicbench::scenarios
