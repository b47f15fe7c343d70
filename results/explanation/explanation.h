#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/changes/what_if.h"
#include "results/simulation/simulation.h"
#include "scenarios/problem/scenario.h"
#include "scenarios/readers/link_names.h"
#include "sim/engine/itemised/itemised_step.h"

namespace cubicbench::results {

/// A plan as `simulate` reports it, and what its step consists of.
struct ExplainedPlan {
  Simulation simulation;
  sim::ItemisedStep items;  ///< terms only where the plan has a step
  scenarios::LinkNames links;
};

/// Another plan, and how it was asked for: "micro_batch=2", "out/405b:best".
struct OtherPlan {
  std::string name;
  std::string found{};  ///< of the best of a search: which launch it is
  ExplainedPlan plan;
};

/// Why a step takes as long as it does, what fills memory, and what would change that.
struct Explanation {
  ExplainedPlan plan;
  datasets::WhatIf what_if;
  std::optional<OtherPlan> against;
  std::string note{};  ///< what a reader should know of all of it; "": nothing
};

/// Explains the baseline of `scenario`, which holds whatever was set; `sets` are the texts that it
/// was read with. By the analytical engine, under the hidden constants of `instance`.
ExplainedPlan explained_plan(const scenarios::Scenario& scenario, std::span<const std::string> sets,
                             std::uint64_t instance);

/// The same with what-ifs, on up to `threads` threads (0: all cores).
Explanation explain(const scenarios::Scenario& scenario, std::span<const std::string> sets,
                    std::uint64_t instance, int threads);

/// A term of the step that is not zero, or of collectives all of which are hidden.
struct ExplainedTerm {
  sim::StepItem term = sim::StepItem::gemm;
  sim::Seconds time;
  double share = 0.0;    ///< of the step
  std::string resource;  ///< that it waits for: of collectives, which link
  std::string equation;
  std::vector<sim::Transmission> transmissions;  ///< of it
  std::optional<sim::Seconds> alone{};           ///< of collectives, if nothing ran beside them
  std::optional<sim::Seconds> hidden{};          ///< of that, what something runs beside
};

/// In the order of `simulate`'s breakdown; they sum to the step. None without a step.
std::vector<ExplainedTerm> terms_of(const ExplainedPlan& plan);

/// The link that a collective is bound by: "NVLink", "RoCE, oversubscribed tiers", "RoCE, latency".
std::string link_of(const sim::Transmission& sent, const scenarios::LinkNames& links);

/// "64 all-gathers of 1.25 GiB among 128 GPUs (ring), RoCE: 1.2 s alone": for --why.
std::string transmission_text(const sim::Transmission& sent, const scenarios::LinkNames& links);

/// The numbers behind a term, one sentence each without a full stop.
std::vector<std::string> numbers_of(const ExplainedTerm& term, const ExplainedPlan& plan);

/// Nothing where driver, context and communicators leave no room at all.
inline std::optional<double> share_of_capacity(sim::Bytes bytes, const sim::MemoryReport& memory) {
  return memory.capacity > sim::Bytes{} ? std::optional(bytes / memory.capacity) : std::nullopt;
}

/// Products and lookups under the device's roofline [Roofline09].
struct RooflinePoint {
  sim::KernelRole role = sim::KernelRole::other;
  std::optional<sim::Dtype> dtype{};     ///< of the arithmetic, if there is any
  sim::Seconds time;                     ///< in a step
  std::optional<double> intensity{};     ///< FLOP a byte; nothing where the law has no bytes
  double ridge = 0.0;                    ///< intensity above which arithmetic limits the device
  std::optional<double> of_peak{};       ///< share of the peak rate of arithmetic
  std::optional<double> of_bandwidth{};  ///< share of the nominal bandwidth
  bool compute_bound = true;
};

/// The longest first; element-wise kernels are left out.
std::vector<RooflinePoint> roofline_of(const ExplainedPlan& plan);

}  // namespace cubicbench::results
