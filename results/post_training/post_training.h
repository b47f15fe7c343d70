#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "results/simulation/simulation.h"
#include "sim/truth/generation.h"

namespace cubicbench::results {

enum class PostTrainingMethod : std::uint8_t {
  dpo,   ///< pairs of responses that are there already [DPO23]
  grpo,  ///< responses that the policy generates, in groups that share a prompt [DeepSeekMath24]
};

/// One iteration of post-training, as it was asked for. What follows `offload` is about grpo; its
/// defaults are those of DeepSeekMath's RL: 16 questions with 64 responses each of at most 1,024
/// tokens, and one update [DeepSeekMath24]. How long prompts and responses are on
/// average it does not say: assumed.
struct PostTrainingQuestion {
  PostTrainingMethod method = PostTrainingMethod::grpo;
  bool reference = true;  ///< a frozen model computes log-probabilities of every batch
  /// What does not work waits in host memory: the training state while the policy generates, the
  /// reference while it has no pass.
  bool offload = false;
  std::int64_t prompts = 16;
  std::int64_t responses = 64;  ///< to each prompt
  std::int64_t prompt_tokens = 256;
  std::int64_t response_tokens = 512;     ///< on average
  std::optional<std::int64_t> longest{};  ///< response, in tokens; nothing: twice the mean
  std::int64_t steps = 1;                 ///< of the optimizer, on what was generated
  std::optional<std::int64_t> generation_tensor{};  ///< nothing: as in training
};

/// What has no room on a GPU.
struct Shortage {
  enum class Of : std::uint8_t { generation, reference } of = Of::generation;
  sim::Bytes needed{};
  sim::Bytes room{};  ///< what the rest of the job leaves of it
};

/// A part of the iteration, by the key that documents have for it.
struct IterationPart {
  std::string_view key;
  std::string_view words;
  sim::Seconds time{};
};

/// What comes of it. Where the training step does not run, only `simulation` says anything.
struct PostTraining {
  PostTrainingQuestion question;
  Simulation simulation;               ///< of a training step on a batch of its sequences
  sim::GenerationReport generation{};  ///< of grpo
  sim::Bytes reference{};              ///< weights of the frozen model on each GPU
  std::optional<Shortage> shortage{};
  std::vector<IterationPart> parts{};  ///< in their order; nothing where there is a shortage
};

/// Responses of an iteration: of dpo, sequences of a step.
std::int64_t responses_of(const PostTraining& of);

/// Tokens of an iteration that are trained on, prompts included.
double tokens_of(const PostTraining& of);

sim::Seconds iteration_of(const PostTraining& of);

/// "ok", "oom_generation", "oom_reference", or that of the training step.
std::string_view status_of(const PostTraining& of);

/// Has it a time?
bool has_iteration(const PostTraining& of);

/// Plays an iteration of the baseline of `scenario`, read with `sets`, whose model must be a
/// transformer. dpo trains on the sequences of the scenario's step. grpo packs its responses into
/// sequences that are no longer than the scenario's and as even as micro-batches allow, in as many
/// of these as a step of them takes. Throws InputError, also where a response does not fit into a
/// sequence or GPUs do not divide into groups that generate.
PostTraining post_training(const scenarios::Scenario& scenario, std::span<const std::string> sets,
                           const PostTrainingQuestion& question);

}  // namespace cubicbench::results
