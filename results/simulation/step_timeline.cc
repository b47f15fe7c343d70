#include "results/simulation/step_timeline.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "results/document/number_text.h"
#include "results/simulation/part_names.h"
#include "results/simulation/traced_ranks.h"
#include "sim/base/check.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

using sim::Span;
using sim::Track;

/// Stages that fit on a page.
constexpr std::int64_t stages_max = 16;
constexpr double seconds_per_tick = 1e-12;

/// What boxes stand for, in the order of the legend.
enum class Kind : std::size_t {
  forward,
  backward,
  weight_gradients,
  pair,
  optimizer,
  products,
  attention,
  memory_bound,
  gather,
  reduce,
  tensor,
  context,
  pipeline,
  embedding,
  experts,
  input
};

/// Passes have the strong colours of Okabe and Ito's palette, and differ in lightness.
const std::array<TimelineKind, 16> kinds{{
    {"forward", "#0072B2", "#4FA8DD"},
    {"backward", "#E69F00", "#F5B83D"},
    {"weight gradients", "#009E73", "#3CC29B"},
    {"forward and backward", "#CC79A7", "#E3A3C6"},
    {"optimizer", "#1F2937", "#E5E7EB"},
    {"matrix products", "#4B5563", "#B6BDC8"},
    {"attention", "#CC79A7", "#E3A3C6"},
    {"memory-bound kernels", "#94A3B8", "#7A848E"},
    {"weights gathered", "#56B4E9", "#7CC7F0"},
    {"gradients reduced", "#D55E00", "#F08A4B"},
    {"tensor group", "#009E73", "#3CC29B"},
    {"context group", "#94A3B8", "#CBD5E1"},
    {"activations, gradients between stages", "#6B7280", "#9CA3AF"},
    {"embedding rows", "#CC79A7", "#E3A3C6"},
    {"tokens to experts", "#CC79A7", "#E3A3C6"},
    {"next batch", "#94A3B8", "#CBD5E1"},
}};

double seconds(sim::SimTime time) { return seconds_per_tick * static_cast<double>(time.count()); }

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Kind kind_of_pass(std::string_view name) {
  if (name == "forward") return Kind::forward;
  if (name == "backward") return Kind::backward;
  if (name == "weight gradients") return Kind::weight_gradients;
  return name == "forward and backward" ? Kind::pair : Kind::optimizer;
}

/// By the block that a kernel is a part of; what is in none stands still for an optimizer or a
/// copy.
Kind kind_of_direction(const Span& span) {
  const std::string_view block = span.block;
  if (contains(block, "update") || contains(span.name, "optimizer")) return Kind::optimizer;
  const bool back = contains(block, "backward") || contains(block, "recompute");
  return back ? Kind::backward : Kind::forward;
}

Kind kind_of_kernel(const Span& span) {
  const std::string_view name = span.name;
  if (contains(name, "product")) return Kind::products;
  if (name == "attention") return Kind::attention;
  return contains(name, "optimizer") ? Kind::optimizer : Kind::memory_bound;
}

Kind kind_of_transfer(const Span& span) {
  switch (span.track) {
    case Track::tensor:
      return Kind::tensor;
    case Track::context:
      return Kind::context;
    case Track::pipeline:
      return Kind::pipeline;
    case Track::embedding:
      return Kind::embedding;
    case Track::experts:
      return Kind::experts;
    case Track::input:
      return Kind::input;
    default:
      return contains(span.name, "gather") ? Kind::gather : Kind::reduce;
  }
}

std::string words_of(const Span& span) {
  const std::string of =
      span.micro_batch < 0 ? "" : " of micro-batch " + std::to_string(span.micro_batch);
  return span.name + of + ", " + duration(sim::Seconds{seconds(span.end - span.begin)}) + " from " +
         duration(sim::Seconds{seconds(span.begin)}) + " on";
}

/// Does a rank go through micro-batches, so that passes tell forward from backward?
bool has_passes(const sim::SpanLog& log) {
  return std::ranges::any_of(log.spans, [](const Span& span) {
    return span.track == Track::schedule && span.micro_batch >= 0;
  });
}

/// The lanes of one rank under work.
class RowWriter {
 public:
  RowWriter(const sim::SpanLog& log, std::int64_t rank, bool of_passes)
      : log_(log), rank_(rank), of_passes_(of_passes) {}

  TimelineRow row(std::string name, bool with_kernels) const {
    TimelineRow row{.name = std::move(name)};
    row.lanes.push_back(work());
    if (with_kernels) add(Track::compute, "kernels", kind_of_kernel, row);
    for (const Track track : {Track::tensor, Track::context, Track::experts, Track::embedding,
                              Track::weights, Track::pipeline, Track::input}) {
      add(track, std::string(label_of(track)), kind_of_transfer, row);
    }
    return row;
  }

 private:
  /// What the rank computes.
  TimelineLane work() const {
    TimelineLane lane{.name = "computes", .shows_waiting = true};
    const Track track = of_passes_ ? Track::schedule : Track::compute;
    for (const Span* span : spans_of(track)) {
      const Kind kind = of_passes_ ? kind_of_pass(span->name) : kind_of_direction(*span);
      TimelineBox box = box_of(*span, kind);
      if (span->micro_batch >= 0) box.mark = std::to_string(span->micro_batch);
      if (of_passes_) box.words = words_of(*span);
      lane.boxes.push_back(std::move(box));
    }
    return lane;
  }

  void add(Track track, std::string name, Kind (*kind_of)(const Span& span),
           TimelineRow& row) const {
    TimelineLane lane{.name = std::move(name)};
    for (const Span* span : spans_of(track)) lane.boxes.push_back(box_of(*span, kind_of(*span)));
    if (!lane.boxes.empty()) row.lanes.push_back(std::move(lane));
  }

  static TimelineBox box_of(const Span& span, Kind kind) {
    return {.begin = seconds(span.begin),
            .end = seconds(span.end),
            .kind = static_cast<std::size_t>(kind)};
  }

  /// By when they begin, so that the picture does not hang on the order of the log.
  std::vector<const Span*> spans_of(Track track) const {
    std::vector<const Span*> spans;
    for (const Span& span : log_.spans) {
      if (span.rank == rank_ && span.track == track) spans.push_back(&span);
    }
    std::ranges::stable_sort(spans, {},
                             [](const Span* span) { return std::pair(span->begin, span->end); });
    return spans;
  }

  const sim::SpanLog& log_;
  std::int64_t rank_ = 0;
  bool of_passes_ = true;
};

/// Kinds that no box has are no part of the legend.
void keep_used(Timeline& timeline) {
  std::vector<bool> used(kinds.size());
  const auto each = [&](const auto& visit) {
    for (TimelineRow& row : timeline.rows) {
      for (TimelineLane& lane : row.lanes) {
        for (TimelineBox& box : lane.boxes) visit(box);
      }
    }
  };
  each([&](const TimelineBox& box) { used[box.kind] = true; });
  std::vector<std::size_t> place(kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    place[i] = timeline.kinds.size();
    if (used[i]) timeline.kinds.push_back(kinds[i]);
  }
  each([&](TimelineBox& box) { box.kind = place[box.kind]; });
}

/// How long at least one of the boxes ran. They are sorted by when they begin.
double covered_s(const std::vector<TimelineBox>& boxes) {
  double covered = 0.0;
  double until = 0.0;
  for (const TimelineBox& box : boxes) {
    if (box.end <= until) continue;
    covered += box.end - std::max(box.begin, until);
    until = box.end;
  }
  return covered;
}

double end_of(const sim::SpanLog& log) {
  double end = 0.0;
  for (const Span& span : log.spans) end = std::max(end, seconds(span.end));
  return end;
}

/// What the picture shows, in one line.
std::string title_of(const Simulation& simulation, const std::vector<RankTime>& ranks) {
  constexpr double share_min = 0.005;  // less is not seen
  double idle = 0.0;
  for (const RankTime& rank : ranks) idle += rank.idle_s / static_cast<double>(ranks.size());
  const double share = idle / simulation.report.step.value;
  return simulation.scenario.name + ": a step takes " + duration(simulation.report.step) +
         (share < share_min
              ? ""
              : (ranks.size() == 1 ? "; the rank waits " : "; ranks wait ") + percent(share) +
                    " of it" + (ranks.size() == 1 ? "" : " on average"));
}

std::string description_of(const Simulation& simulation, std::size_t ranks) {
  return "What " + counted(ranks, "rank", "ranks") +
         " compute and send during one training step, with " +
         support::joined(simulation.config, " ", [](const scenarios::Assignment& given) {
           return std::string(given.setting->name) + "=" +
                  scenarios::format_setting(*given.setting, given.value);
         });
}

}  // namespace

std::vector<std::int64_t> timeline_ranks(const scenarios::Scenario& scenario) {
  const std::int64_t stages = scenario.baseline.pipeline_parallel;
  const bool has_stages =
      scenarios::kind_of(scenario.workload) != scenarios::WorkloadKind::recommendation;
  if (!has_stages || stages > stages_max) return telling_ranks(scenario);
  return first_ranks(scenario, stages);
}

Timeline step_timeline(const Simulation& simulation, const sim::SpanLog& log, bool with_kernels) {
  SIM_ASSERT(has_step(simulation), simulation.scenario.name);
  const double step = simulation.report.step.value;
  const bool of_passes = has_passes(log);
  Timeline timeline;
  timeline.description = description_of(simulation, log.ranks.size());
  timeline.waiting = simulation.scenario.baseline.pipeline_parallel > 1 && of_passes
                         ? "waiting: the pipeline bubble"
                         : "waiting";
  timeline.length_s = std::max(step, end_of(log));
  for (const std::int64_t rank : log.ranks) {
    timeline.rows.push_back(
        RowWriter(log, rank, of_passes)
            .row(short_rank_name(simulation.scenario, rank), with_kernels && of_passes));
  }
  timeline.title = title_of(simulation, rank_times(timeline, log, step));
  keep_used(timeline);
  return timeline;
}

std::vector<RankTime> rank_times(const Timeline& timeline, const sim::SpanLog& log, double step_s) {
  SIM_ASSERT(timeline.rows.size() == log.ranks.size(), timeline.rows.size(), log.ranks.size());
  std::vector<RankTime> ranks;
  for (std::size_t i = 0; i < log.ranks.size(); ++i) {
    const TimelineRow& row = timeline.rows[i];
    RankTime rank{.rank = log.ranks[i], .name = row.name};
    for (const TimelineLane& lane : row.lanes) {
      const double covered = covered_s(lane.boxes);
      if (lane.shows_waiting) {
        rank.busy_s = covered;
      } else {
        rank.streams.emplace_back(lane.name, covered);
      }
    }
    rank.idle_s = std::max(0.0, step_s - rank.busy_s);
    ranks.push_back(std::move(rank));
  }
  return ranks;
}

}  // namespace cubicbench::results
