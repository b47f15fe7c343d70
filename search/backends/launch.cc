#include "search/backends/launch.h"

#include "search/launch/launcher.h"
#include "search/launch/program_call.h"

namespace cubicbench::search {

LaunchOptions launch_options(const scenarios::Scenario& scenario, const sim::Plan& plan) {
  static const Launcher& torchtitan = find_launcher("torchtitan@0.2.2", "launch");
  static const Launcher& megatron = find_launcher("megatron-lm@0.19", "launch");
  static const Launcher& torchrun = find_launcher("torchrun-fsdp2@2", "launch");
  return {.torchtitan = option_words(torchtitan, scenario, plan),
          .megatron = option_words(megatron, scenario, plan),
          .torchrun = start_words(torchrun, scenario, plan)};
}

}  // namespace cubicbench::search
