#include "scenarios/space/job_gpus.h"

namespace cubicbench::scenarios {

std::string expected_gpus(std::int64_t gpus, const SpaceFacts& facts) {
  if (gpus > facts.gpus) return "at most /cluster/gpus (" + std::to_string(facts.gpus) + ")";
  if (gpus > facts.gpus_per_node && gpus % facts.gpus_per_node != 0) {
    return "a multiple of /cluster/gpus_per_node (" + std::to_string(facts.gpus_per_node) + ")";
  }
  return "";
}

}  // namespace cubicbench::scenarios
