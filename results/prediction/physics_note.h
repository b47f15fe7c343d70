#pragma once

#include <string>

#include "predictor/judging/protocol.h"

namespace cubicbench::results {

/// "The simulator has no answer for 3 of 16 jobs (the first: ...), where roofline guesses the
/// median and hybrid is boosted trees on what is known at launch."
std::string physics_note(const predictor::JudgedDataset& judged);

}  // namespace cubicbench::results
