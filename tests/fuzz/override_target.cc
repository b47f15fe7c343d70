// Overrides of a scenario, as they are typed.
#include <array>
#include <sstream>

#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

/// A scenario, then an override a line.
constexpr std::array words{
    "tiny-llama\ntensor_parallel=4\ncluster.gpus=16\nworkload.sequence=131072",
    "ads-73b\ncluster.network=nvlink4-ndr\nobjective.percentile=95\ntable_sharding=row_wise",
    "deepseek-v3\nexpert_parallel=8\njob.steps=20\ntruth.noise=none\nbudget.trials=7",
    "nanotron-1.34b-8gpu\ncluster.gpus=8"};

Parts seed(std::size_t number) { return {words[number]}; }

void run(const Parts& parts) {
  if (parts[0].find('\0') != std::string::npos) return;  // arguments hold none
  std::istringstream lines(parts[0]);
  std::string line;
  std::getline(lines, line);
  // A path would lead out of the input.
  if (line.find('/') != std::string::npos) return;
  std::vector<std::string> args{"simulate", line, "--json"};
  while (std::getline(lines, line) && args.size() < 100) args.insert(args.end(), {"--set", line});
  checked(args);
}

}  // namespace

Target override_target() {
  return {
      .name = "override", .forms = {Form::words}, .seed = seed, .seeds = words.size(), .run = run};
}

}  // namespace cubicbench::fuzz
