#include "results/post_training/post_training.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <variant>

#include "results/document/number_text.h"
#include "sim/engine/forward_pass.h"
#include "sim/plan/plan_cluster.h"
#include "sim/plan/validity.h"
#include "support/input_error.h"

namespace cubicbench::results {
namespace {

const sim::Transformer& model_of(const scenarios::Scenario& scenario) {
  if (const auto* model = std::get_if<sim::Transformer>(&scenario.workload)) return *model;
  throw support::InputError(scenario.name,
                            "expected a scenario with a transformer, got a recommendation model");
}

std::int64_t longest_of(const PostTrainingQuestion& question) {
  return question.longest.value_or(2 * question.response_tokens);
}

std::int64_t sample_of(const PostTrainingQuestion& question) {
  return question.prompt_tokens + question.response_tokens;
}

void check_lengths(const PostTrainingQuestion& question, const sim::Transformer& model) {
  const std::int64_t longest = longest_of(question);
  if (longest < question.response_tokens) {
    throw support::InputError("--longest", "expected at least the mean response, " +
                                               grouped(question.response_tokens) + " tokens, got " +
                                               grouped(longest));
  }
  const std::int64_t whole = question.prompt_tokens + longest;
  if (whole <= model.sequence) return;
  throw support::InputError(question.longest ? "--longest" : "--response-length",
                            "expected a prompt with the longest response of at most " +
                                grouped(model.sequence) + " tokens, the scenario's sequence, got " +
                                grouped(whole));
}

std::int64_t tensor_of(const PostTrainingQuestion& question, const sim::Plan& plan) {
  return question.generation_tensor.value_or(plan.tensor_parallel);
}

void check_tensor(const PostTrainingQuestion& question, const sim::Transformer& model, int gpus) {
  if (!question.generation_tensor) return;
  const std::int64_t tensor = *question.generation_tensor;
  if (gpus % tensor == 0 && model.attention_heads % tensor == 0) return;
  const auto divisor = std::gcd<std::int64_t>(gpus, model.attention_heads);
  throw support::InputError("--generation-tensor",
                            "expected a divisor of " + grouped(divisor) +
                                ", which divides GPUs and attention heads, got " + grouped(tensor));
}

/// The problem whose step trains on one step's part of what grpo generates. Lengths of sequences
/// are multiples of 8, whatever ranks share them, as products want it [Eq. K-2].
scenarios::Scenario packed(scenarios::Scenario scenario, const PostTrainingQuestion& question) {
  auto& model = std::get<sim::Transformer>(scenario.workload);
  sim::Plan& plan = scenario.baseline;
  const sim::Cluster cluster = sim::cluster_of(plan, scenario.cluster);
  const std::int64_t replicas = std::max<std::int64_t>(sim::data_parallel(plan, cluster), 1);
  const std::int64_t sequences = replicas * plan.micro_batch;  // of all replicas at once
  const auto sample = static_cast<double>(sample_of(question));
  const double tokens = sample * static_cast<double>(question.prompts * question.responses) /
                        static_cast<double>(question.steps);
  const double each = tokens / static_cast<double>(sequences);
  auto times = static_cast<std::int64_t>(std::ceil(each / static_cast<double>(model.sequence)));
  const std::int64_t round = sim::goes_in_rounds(plan.schedule) ? plan.pipeline_parallel : 1;
  times = (times + round - 1) / round * round;
  const std::int64_t multiple = 16 * plan.tensor_parallel * plan.context_parallel;
  const double length = std::max(each / static_cast<double>(times), sample);
  const auto units = static_cast<std::int64_t>(std::ceil(length / static_cast<double>(multiple)));
  model.sequence = std::min(units * multiple, model.sequence);
  model.packed_sample = std::min(sample_of(question), model.sequence);
  plan.global_batch = sequences * times;
  return scenario;
}

/// Builds the parts of an iteration whose training step runs.
class Iteration {
 public:
  explicit Iteration(PostTraining& of)
      : of_(of),
        asked_(of.question),
        scenario_(of.simulation.scenario),
        model_(std::get<sim::Transformer>(scenario_.workload)),
        on_{scenario_.cluster, scenario_.stack, scenario_.baseline},
        decoder_{model_, on_, tensor_of(asked_, scenario_.baseline)} {}

  void play(std::int64_t tokens_at_once) {
    const sim::ForwardHead head = sim::ForwardHead::all_tokens;
    forward_ = sim::forward_pass(model_, on_, head, workspace_.program);
    if (asked_.reference) of_.reference = forward_.weights;
    const bool generates = asked_.method == PostTrainingMethod::grpo;
    if (generates) generate(tokens_at_once);
    if (!of_.shortage) fit_reference();
    if (of_.shortage) return;
    if (generates) add_generation();
    add_passes(generates);
  }

 private:
  const sim::MemoryReport& memory() const { return of_.simulation.report.memory; }

  /// Of a GPU beside what stays there while the policy generates.
  sim::Bytes room() const {
    if (asked_.offload) return memory().capacity;
    return memory().capacity - memory().demand_at_start - of_.reference;
  }

  void generate(std::int64_t tokens_at_once) {
    const sim::GenerationBatch batch{
        .prompts = asked_.prompts,
        .responses = asked_.responses,
        .prompt = static_cast<double>(asked_.prompt_tokens),
        .lengths = {.mean = static_cast<double>(asked_.response_tokens),
                    .longest = static_cast<double>(longest_of(asked_))}};
    of_.generation = sim::generation(decoder_, batch, room(), static_cast<double>(tokens_at_once),
                                     workspace_.program);
    const sim::GenerationMemory& needs = of_.generation.memory;
    if (needs.fits()) return;
    of_.shortage = Shortage{.of = Shortage::Of::generation,
                            .needed = needs.weights + needs.response,
                            .room = positive(needs.room)};
  }

  void fit_reference() {
    const sim::Bytes rest = asked_.offload ? memory().demand_at_start : memory().demand;
    const sim::Bytes left = positive(memory().capacity - rest);
    if (of_.reference <= left) return;
    of_.shortage = Shortage{.of = Shortage::Of::reference, .needed = of_.reference, .room = left};
  }

  void add(std::string_view key, std::string_view words, sim::Seconds time) {
    of_.parts.push_back({key, words, time});
  }

  void add_generation() {
    add("reshard", "weights to the layout of generation",
        sim::resharding_time(decoder_, forward_.weights));
    add("prefill", "prompts (prefill)", of_.generation.prefill);
    add("decode", "responses, token by token (decode)", of_.generation.decode);
  }

  void add_passes(bool generates) {
    const auto steps = static_cast<double>(generates ? asked_.steps : 1);
    const sim::Seconds forward = steps * forward_.time;
    if (generates) add("policy", "log-probabilities of the policy", forward);
    if (asked_.reference) add("reference", "log-probabilities of the reference", forward);
    const double ways = generates ? 2.0 : 0.0;  // of the training state
    const sim::Bytes moved = ways * memory().demand_at_start + of_.reference;
    if (asked_.offload && moved > sim::Bytes{}) {
      add("offload", "copies to and from host memory",
          moved / scenario_.cluster.device.host_bandwidth);
    }
    add("training", generates ? "training steps" : "training step",
        steps * of_.simulation.report.step);
  }

  PostTraining& of_;
  const PostTrainingQuestion& asked_;
  const scenarios::Scenario& scenario_;
  const sim::Transformer& model_;
  sim::StepContext on_;
  sim::Decoder decoder_;
  sim::ForwardPass forward_{};
  sim::Workspace workspace_;
};

}  // namespace

PostTraining post_training(const scenarios::Scenario& scenario, std::span<const std::string> sets,
                           const PostTrainingQuestion& question) {
  const sim::Transformer& model = model_of(scenario);
  const bool generates = question.method == PostTrainingMethod::grpo;
  if (generates) {
    check_lengths(question, model);
    check_tensor(question, model, sim::gpus_of(scenario.baseline, scenario.cluster));
  }
  PostTraining of{.question = question,
                  .simulation = simulate(generates ? packed(scenario, question) : scenario, sets)};
  if (!has_step(of.simulation)) return of;
  Iteration(of).play(scenario.baseline.micro_batch * model.sequence);
  return of;
}

std::int64_t responses_of(const PostTraining& of) {
  if (of.question.method == PostTrainingMethod::grpo) {
    return of.question.prompts * of.question.responses;
  }
  return of.simulation.scenario.baseline.global_batch;
}

double tokens_of(const PostTraining& of) {
  const bool generates = of.question.method == PostTrainingMethod::grpo;
  const auto& model = std::get<sim::Transformer>(of.simulation.scenario.workload);
  const std::int64_t each = generates ? sample_of(of.question) : model.sequence;
  return static_cast<double>(each * responses_of(of));
}

sim::Seconds iteration_of(const PostTraining& of) {
  sim::Seconds sum;
  for (const IterationPart& part : of.parts) sum += part.time;
  return sum;
}

std::string_view status_of(const PostTraining& of) {
  if (!of.shortage) return status_of(of.simulation);
  return of.shortage->of == Shortage::Of::generation ? "oom_generation" : "oom_reference";
}

bool has_iteration(const PostTraining& of) { return !of.parts.empty(); }

}  // namespace cubicbench::results
