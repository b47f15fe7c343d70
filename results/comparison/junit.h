#pragma once

#include <string>

#include "results/comparison/comparison.h"

namespace cubicbench::results {

/// The comparison as a JUnit report, which build machines show: one case for the question, which
/// fails where the answer is no and is skipped where it is undecided, and one per problem, which
/// never fails as the question is not about single problems. No times, no host.
std::string junit_text(const Comparison& comparison);

}  // namespace cubicbench::results
