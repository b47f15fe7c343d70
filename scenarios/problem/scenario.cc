#include "scenarios/problem/scenario.h"

namespace cubicbench::scenarios {

std::string_view name_of(Metric metric) {
  switch (metric) {
    case Metric::step_time_s:
      return "step_time_s";
    case Metric::samples_per_s:
      return "samples_per_s";
    case Metric::tokens_per_s:
      return "tokens_per_s";
    case Metric::tokens_per_s_per_gpu:
      return "tokens_per_s_per_gpu";
    case Metric::mfu:
      return "mfu";
  }
  return "";
}

std::string_view name_of(Direction direction) {
  return direction == Direction::minimize ? "minimize" : "maximize";
}

}  // namespace cubicbench::scenarios
