#pragma once

#include <string>

#include "results/explanation/explanation.h"

namespace cubicbench::results {

/// "bf16": as `--set dtype=` takes it.
std::string dtype_text(sim::Dtype dtype);

/// "schedule=interleaved virtual_stages=2": as `--set` takes them.
std::string set_text(const datasets::PlanChange& change);

/// Why the changed plan does not run, or has no value; "" where it has one.
std::string why_not(const datasets::JudgedChange& judged);

/// "step 5.210 s (-17.5 %), 3.1 M tokens/s (+21.2 %); needs 66.10 GiB (+1.82 GiB), out of memory
/// with probability 11.2 %": what a change comes to beside the plan.
std::string effect_text(const datasets::PlanOutcome& outcome, const Explanation& of);

/// "Best single change: schedule=zb_h1: step ...": a sentence.
std::string advice_text(const datasets::Advice& advice, const Explanation& of);

/// What was simulated, and how many of the single changes run, in sentences.
std::string searched_text(const datasets::WhatIf& what_if);

/// "+1.82 GiB", "-0.50 GiB".
std::string signed_gib(sim::Bytes bytes);
/// "+81.2 ms", "-1.10 s".
std::string signed_duration(sim::Seconds time);

}  // namespace cubicbench::results
