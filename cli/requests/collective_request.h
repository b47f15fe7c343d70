#pragma once

#include <optional>
#include <vector>

#include "cli/options/engine_options.h"
#include "cli/options/shared_options.h"
#include "scenarios/collective/collective_question.h"

namespace cubicbench::cli {

/// What the command line of `collective` asks for.
struct CollectiveRequest {
  sim::Collective op = sim::Collective::all_reduce;
  std::vector<double> sizes;
  bool range = false;  ///< whether they were a range
  scenarios::AskedCluster cluster;
  scenarios::AskedGroups groups;
  std::optional<sim::Algorithm> algorithm;
  EngineAsked engine_asked;
  EngineOptions engine;
  GlobalOptions global;
};

void declare_collective(Options& options, CollectiveRequest& request);

}  // namespace cubicbench::cli
