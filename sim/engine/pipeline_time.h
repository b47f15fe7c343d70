#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/base/units.h"
#include "sim/engine/stage_cost.h"
#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// Consecutive pipeline stages that are alike, with everything that stands still in their passes.
struct PipelineStage {
  double stages = 1.0;
  Seconds forward;        ///< F: of one micro-batch, all chunks
  Seconds backward;       ///< B
  Seconds after;          ///< A: when B has been sent on, before the next pass
  Seconds even_forward;   ///< of F, through a chunk that has neither end of the model
  Seconds even_backward;  ///< of B
  Seconds first_chunk;    ///< of both, through the first chunk
  Seconds last_chunk;     ///< and through the last one
  Seconds begin;          ///< before its first pass
  Seconds last;           ///< that the last micro-batch's backward pass takes longer, all chunks
  Seconds between;        ///< that the passes after each of its chunks take longer
  Seconds followed;       ///< and all stages together, through which a micro-batch goes there
  Seconds end;            ///< after its last pass
};

/// How long a step takes from its stages [docs/models.md, Eq. P-1 to P-5]. Stages are added from
/// the last to the first; nothing is kept of them but sums and maxima.
///
///   1F1B         max over stages k, d = p - 1 - k, of
///                  sum_{i<k} (S_i + 2 hop) + S_k + (m-1-d) (S_k + A_k)
///                          + max(D, d F_k) + max(D, d (B_k + A_k)),   D = sum_{i>k} (S_i + 2 hop)
///                and over stages a of
///                  sum_{i<a} (S_i + 2 hop) + q (sum_{i>=a} S_i + 2 (p-1-a) hop) + (q-1) A_a
///                          + r max(S + A),                      m + p - 1 - a = q (p - a) + r
///   interleaved  max over stages k of
///                  sum_{i<k} (C_i + 2 hop) + m S_k + (m-1) A_k + (trip to the last stage)+
///                and (v-1) (sum_i f_i + p hop - p max_i f_i)+, the same of b
///   GPipe        sum_i S_i + (m - 1) (max_i F_i + max_i (B_i + A_i)) + 2 (p-1) hop
///
/// S_i = F_i + B_i, C_i the part of it in the first chunk, f and b those of F and B in others, ()
/// + the positive part. Time is counted in slots, of a forward pass and the backward pass behind it
/// on their stage. A message down the stages takes none, one up takes a slot, so that a trip down
/// and back takes as many as it has stages.
///
/// 1F1B: the longest path stays with one stage, or goes up and down in at most two runs, apart from
/// a trip to the last stage and back at either end; or makes such trips all the time. Interleaved:
/// the path arrives at stage k through the first chunks and leaves it through them; it waits at the
/// first and at the last stage where their outer chunks take longer; before the first backward
/// pass it may follow a micro-batch through all stages from chunk to chunk, with a hop at every
/// pass, instead of waiting at stage k for the p passes of each chunk, and so after the last
/// forward pass. What stage i waits before its first pass counts beyond the time at which that
/// arrives, what it does after its last pass beyond what the stages before it still compute. Exact
/// for equal stages; what is left out for others is in docs/models.md.
class PipelineTime {
 public:
  PipelineTime(Schedule schedule, double micro_batches, double stages, double chunks, Seconds hop)
      : schedule_(schedule),
        m_(micro_batches),
        p_(stages),
        v_(chunks),
        hop_(hop),
        longest_(-2.0 * hop),
        held_{.path = -2.0 * hop, .even = {}, .worth = {}} {}

  void add_before(const PipelineStage& stage);
  Seconds total() const;

 private:
  /// Of a run of stages what paths of 1F1B are made of.
  struct Run {
    double stages = 1.0;
    Seconds slot;
    Seconds forward;
    Seconds backward;  ///< with what follows it
    Seconds after;
  };

  /// Consecutive stages that a path goes up and down.
  struct Turn {
    Run last;             ///< of them
    double stages = 1.0;  ///< all of them
    double behind = 0.0;  ///< stages behind them
    Seconds through;      ///< down them and back
    Seconds below;        ///< from them to the last stage and back
    Seconds forward;      ///< the longest of their passes
    Seconds backward;     ///< with what follows it
    Seconds slot;         ///< the same
    Seconds after;        ///< what follows a slot of the first of them
  };

  /// The longest path of rounds of chunks.
  struct Held {
    Seconds path;
    Seconds even;        ///< slot of an even chunk at the stage where it stays
    double above = 0.0;  ///< stages before that
    Seconds worth;       ///< of the last stage's last chunk, a group of p micro-batches
  };

  Turn turn_of(const Run& run) const;
  Turn wider(const Turn& turn) const;
  Seconds climbing(const Run& run, double slots, Seconds slot) const;
  Seconds stays_in(const Turn& turn) const;
  Seconds goes_through(const Turn& turn) const;
  void add_turns(const PipelineStage& stage);
  Held in_rounds(const PipelineStage& stage) const;
  Seconds at_first(const PipelineStage& first) const;
  bool is_first(const PipelineStage& stage) const;
  void add_in_rounds(const PipelineStage& stage);
  Seconds wraps() const;
  Seconds paced() const;

  Schedule schedule_;
  double m_;
  double p_;
  double v_;
  Seconds hop_;
  double behind_ = 0.0;  ///< stages added so far
  Seconds sum_;          ///< of their slots
  Seconds forward_max_;
  Seconds backward_max_;  ///< with what follows it
  Seconds slot_max_;      ///< the same
  Run next_;              ///< the run added last
  Run widest_;            ///< the run of most stages
  Seconds longest_;       ///< 1F1B: the longest path from the first of them
  Held held_;             ///< the same of rounds
  Seconds last_chunk_;    ///< of the last stage
  Seconds last_chunks_;   ///< passes through the last chunks of all of them
  Seconds forwards_;      ///< through even chunks
  Seconds backwards_;
  Seconds even_forward_max_;
  Seconds even_backward_max_;
  Seconds begin_;      ///< beyond the first pass's arrival, seen from the first of them
  Seconds drains_;     ///< what the last micro-batch takes longer in all of them
  Seconds stays_max_;  ///< what waiting for it adds to a chunk of the stage
  Seconds followed_max_;
  Seconds end_;
};

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
  Seconds* row(std::size_t stage) const;
  void play_all();
  std::size_t play_plain(std::size_t first);
  std::size_t play(std::size_t first);

  SplitShape shape_;
  SplitShape played_;
  Seconds hop_;
  LastPlayed& last_;
  const PlayedOrder& order_;
  bool again_;               ///< so far it is the pipeline that was played last
  std::span<Seconds> rows_;  ///< of the stages
  std::span<Seconds> ends_;  ///< of the passes by number
  Seconds slot_max_;         ///< of a micro-batch on a stage
};

}  // namespace cubicbench::sim
