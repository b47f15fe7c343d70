#include <benchmark/benchmark.h>

#include <cstdio>

#include "support/input_error.h"
#include "tests/performance/benches.h"
#include "tests/performance/fixed_loop.h"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  try {
    cubicbench::register_fixed_loop();
    cubicbench::register_random_configurations();
    cubicbench::register_enumerated_configurations();
    cubicbench::register_searchers();
    cubicbench::register_launches();
    cubicbench::register_search_costs();
    cubicbench::register_predictors();
    cubicbench::register_validation();
    cubicbench::register_network();
    cubicbench::register_event_engine();
    cubicbench::register_event_steps();
  } catch (const cubicbench::support::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
