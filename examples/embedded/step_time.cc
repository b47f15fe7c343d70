// step_time SCENARIO [NAME=VALUE...]: how long a step of the scenario's baseline takes, with these
// settings changed.
#include <cstdio>
#include <string>
#include <vector>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "support/input_error.h"

int main(int argc, char** argv) {
  using namespace cubicbench;
  if (argc < 2) {
    std::fprintf(stderr, "usage: step_time SCENARIO [NAME=VALUE...]\n");
    return 2;
  }
  try {
    const std::vector<std::string> sets(argv + 2, argv + argc);
    const scenarios::Scenario scenario = scenarios::read_scenario(argv[1], sets);
    sim::Workspace workspace;
    const sim::StepReport report = scenarios::evaluate(scenario, scenario.baseline, workspace);
    if (report.status != sim::StepStatus::ok) {
      std::printf("%s: does not fit, or cannot be laid out\n", scenario.name.c_str());
      return 0;
    }
    std::printf("%s: %.6f s\n", scenario.name.c_str(), report.step.value);
  } catch (const support::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
