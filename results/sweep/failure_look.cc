#include "results/sweep/failure_look.h"

#include <algorithm>
#include <array>

#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

using enum PointMark;
using scenarios::Reason;

const std::array<FailureLook, 6> looks_of_failures{{
    {Reason::oom_init, "OOM", "out of memory at start-up", triangle_down, "#D55E00"},
    {Reason::oom_late, "OOM", "out of memory", full_triangle_down, "#D55E00"},
    {Reason::invalid, "invalid", "invalid", cross, "#606060"},
    {Reason::timeout, "too slow", "too slow", square, "#606060"},
    {Reason::numeric, "diverges", "diverges", diamond, "#606060"},
    {Reason::infra, "stalls", "stalls", circle, "#606060"},
}};

}  // namespace

std::span<const FailureLook> failure_looks() { return looks_of_failures; }

const FailureLook& look_of(Reason reason) {
  const auto found = std::ranges::find(looks_of_failures, reason, &FailureLook::reason);
  SIM_ASSERT(found != looks_of_failures.end(), static_cast<int>(reason));
  return *found;
}

}  // namespace cubicbench::results
