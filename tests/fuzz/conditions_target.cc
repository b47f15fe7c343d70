// What is wrong with a cluster, and a step that is played under it.
#include <array>

#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

constexpr std::array documents{
    R"({"schema": "cubicbench.conditions/1", "slow_ranks": [{"rank": 3, "factor": 1.5}]})",
    R"({"schema": "cubicbench.conditions/1", "failed_ranks": [{"rank": 7, "at_s": 1.5}]})",
    R"({"schema": "cubicbench.conditions/1",
        "links": [{"from": "gpu:3", "to": "domain:0", "share": 0.5, "both_ways": true}],
        "routes": [{"from": 0, "to": 3, "over": ["gpu:0", "domain:0", "gpu:3"]}]})"};

Parts seed(std::size_t number) { return {documents[number]}; }

void run(const Parts& parts) {
  const std::string file = fresh_folder() / "conditions.json";
  write(file, parts[0]);
  checked({"simulate", "tiny-llama", "--engine", "event", "--conditions", file, "--json"});
}

}  // namespace

Target conditions_target() {
  return {.name = "conditions",
          .forms = {Form::json},
          .seed = seed,
          .seeds = documents.size(),
          .run = run};
}

}  // namespace cubicbench::fuzz
