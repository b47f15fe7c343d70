#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "results/document/document.h"
#include "results/document/timeline.h"
#include "results/simulation/simulation.h"
#include "sim/engine/event/span_log.h"

namespace cubicbench::results {

/// Ranks of which a timeline shows what they did, ascending: the first of every pipeline stage, of
/// at most sixteen; else telling_ranks().
std::vector<std::int64_t> timeline_ranks(const scenarios::Scenario& scenario);

/// A played step as a picture: a row per rank of `log`, with a tall lane of what it computes and a
/// low one for each stream of communication that it has; `with_kernels`, one of its kernels too.
/// Requires a step that ended, and a log of whole passes (`layers_max`).
///
/// Passes are boxes where there are micro-batches; the one step of a recommendation model shows
/// its kernels by the direction of their block.
Timeline step_timeline(const Simulation& simulation, const sim::SpanLog& log, bool with_kernels);

/// How a rank spent the step.
struct RankTime {
  std::int64_t rank = 0;
  std::string name;
  double busy_s = 0.0;  ///< in boxes of the tall lane
  double idle_s = 0.0;  ///< the rest of the step: the pipeline's bubble, and other waiting
  std::vector<std::pair<std::string, double>> streams{};  ///< communication: how long any ran
};

/// What `timeline` says to people, and as JSON (schema cubicbench.timeline/1). `file` is what was
/// written; "" where the step does not run.
Document timeline_document(const Simulation& simulation, std::span<const RankTime> ranks,
                           const std::string& file);
nlohmann::ordered_json timeline_json(const Simulation& simulation, std::span<const RankTime> ranks);

/// The ranks of a timeline. Requires what step_timeline() returned, and its log.
std::vector<RankTime> rank_times(const Timeline& timeline, const sim::SpanLog& log, double step_s);

}  // namespace cubicbench::results
