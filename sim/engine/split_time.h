#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/engine/stage_cost.h"

namespace cubicbench::sim {

/// One stage of a pipeline with split backward passes, with everything that stands still in its
/// passes.
struct SplitStage {
  std::array<Seconds, 2> forward{};   ///< by chunk
  std::array<Seconds, 2> backward{};  ///< for the chunk's input
  std::array<Seconds, 2> weights{};   ///< for its weights
  std::array<Seconds, 2> whole{};     ///< the same, as part of a whole backward pass
  /// A forward pass through this chunk beside a whole backward pass through the other one; 0 where
  /// one comes after the other.
  std::array<Seconds, 2> pair{};
  Seconds begin{};   ///< before its first pass
  Seconds last{};    ///< that the weights' passes of the last micro-batch take longer, all chunks
  Seconds beside{};  ///< traffic that begins with the weights of the last micro-batch
  Seconds end{};     ///< after its last pass and that
};

/// What passes through each chunk of a stage of `run` take. What the stage waits for beside its
/// layers is shared by its chunks, but for what the ends of the model take; sending stands for
/// nothing yet.
SplitStage chunk_times(const StepProgram& program, const StageRun& run, const BlockCosts& blocks,
                       const StageCost& stage, const Plan& plan);

/// How long a step takes whose backward passes are split, from its stages [docs/models.md, Eq.
/// P-6]: a pass begins when the one before it on its stage is over and what it waits for is there.
///
/// Of a chunk at most 4 p + 32 micro-batches are played. More take as long each as those in the
/// middle of what is played, and no less than a stage computes for one. A pipeline that differs
/// from the one played last in nothing but what comes behind the passes of its stages is not played
/// again.
class SplitTime {
 public:
  /// `hop`: of a message, what nobody stands still for. Requires every stage to be set once.
  SplitTime(const SplitShape& shape, Seconds hop, SplitRoom& room);

  void set(std::int64_t stage, const SplitStage& times);
  Seconds total();

 private:
  std::span<Seconds> row(std::int64_t stage);
  void play_all();
  std::size_t play(std::size_t first);
  void find_pace();
  Seconds arrival(const SequencedPass& pass) const;
  bool is_last(const SequencedPass& pass) const;

  SplitShape shape_;
  SplitShape played_;
  Seconds hop_;
  LastPlayed& last_;
  bool again_;  ///< so far it is the pipeline that was played last
  std::span<const SequencedPass> sequence_;
  std::span<Seconds> rows_;  ///< of the stages
  std::span<Seconds> ends_;  ///< of the passes
  Seconds slot_max_;         ///< of a micro-batch on a stage
};

}  // namespace cubicbench::sim
