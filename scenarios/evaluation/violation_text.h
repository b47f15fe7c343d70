#pragma once

#include <string>

#include "sim/plan/validity.h"

namespace cubicbench::scenarios {

/// One sentence without a full stop that names the setting, what it is and what it would have to
/// be: "tensor_parallel is 7, but must divide attention_heads (128)". Requires a violation.
std::string violation_text(const sim::Violation& violation);

}  // namespace cubicbench::scenarios
