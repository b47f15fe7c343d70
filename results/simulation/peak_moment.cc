#include "results/simulation/peak_moment.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "results/document/number_text.h"
#include "results/simulation/part_names.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

struct OperationName {
  std::string_view name;
  std::string_view phrase;
};

constexpr std::array<OperationName, sim::trace_operation_count> names{{
    {"startup", "at start-up"},
    {"embedding_forward", "in the forward pass of the embedding"},
    {"attention_forward", "in the forward pass of attention"},
    {"ffn_forward", "in the forward pass of the FFN"},
    {"head_forward", "in head and loss"},
    {"head_backward", "in the backward pass of head and loss"},
    {"attention_recompute", "in the recomputation of attention"},
    {"ffn_recompute", "in the recomputation of the FFN"},
    {"ffn_backward", "in the backward pass of the FFN"},
    {"attention_backward", "in the backward pass of attention"},
    {"embedding_backward", "in the backward pass of the embedding"},
    {"accumulate_gradients", "while gradients are accumulated"},
    {"optimizer_step", "in the optimizer step"},
    {"share_update", "while updated weights are gathered"},
}};

const OperationName& names_of(sim::TraceOperation operation) {
  return names[static_cast<std::size_t>(operation)];
}

bool in_micro_batch(sim::TraceOperation operation) {
  return operation != sim::TraceOperation::startup &&
         operation != sim::TraceOperation::optimizer_step &&
         operation != sim::TraceOperation::share_update;
}

/// Largest first.
std::vector<std::string> parts_alive(const sim::PeakMoment& peak) {
  std::vector<std::pair<sim::Bytes, sim::MemoryPart>> alive;
  for (std::size_t i = 0; i < peak.parts.size(); ++i) {
    if (peak.parts[i] > sim::Bytes{}) {
      alive.emplace_back(peak.parts[i], static_cast<sim::MemoryPart>(i));
    }
  }
  std::ranges::stable_sort(alive, [](const auto& a, const auto& b) { return b.first < a.first; });
  std::vector<std::string> texts;
  for (const auto& [bytes, part] : alive) {
    texts.push_back(std::string(label_of(part)) + " " + gib(bytes));
  }
  return texts;
}

}  // namespace

std::string_view name_of(sim::TraceOperation operation) { return names_of(operation).name; }

std::string peak_moment_text(const scenarios::StageReplay& replay) {
  const sim::PeakMoment& peak = replay.peak;
  std::string text = "replayed peak of stage " + std::to_string(replay.stage) + ": " +
                     gib(replay.allocated) + " " + std::string(names_of(peak.operation).phrase);
  if (in_micro_batch(peak.operation)) {
    text += ", micro-batch " + std::to_string(peak.micro_batch);
  }
  return text + ": " + support::joined(parts_alive(peak), ", ");
}

}  // namespace cubicbench::results
