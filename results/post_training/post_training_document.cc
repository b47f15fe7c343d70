#include "results/post_training/post_training_document.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/simulation/shown_problem.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr double hour_s = 3600.0;

bool generates(const PostTraining& of) { return of.question.method == PostTrainingMethod::grpo; }

double gpu_hours(const PostTraining& of) {
  return iteration_of(of).value * of.simulation.scenario.cluster.gpus / hour_s;
}

double tokens_per_s(const PostTraining& of) { return tokens_of(of) / iteration_of(of).value; }

std::optional<std::string> reason_of(const PostTraining& of) {
  if (!of.shortage) return reason(of.simulation);
  const Shortage& shortage = *of.shortage;
  const bool reference = shortage.of == Shortage::Of::reference;
  return std::string(reference ? "the reference needs " : "generation needs ") +
         gib(shortage.needed) + " on each GPU for " +
         (reference ? "its weights" : "weights and the cache of the longest response") + ", " +
         gib(shortage.room) + " are left";
}

std::string method_text(const PostTraining& of) {
  const bool reference = of.question.reference;
  if (generates(of)) {
    return reference ? "GRPO, with a reference for its KL term" : "GRPO, without a KL term";
  }
  return reference ? "DPO, with a pass of the reference in every step"
                   : "DPO, the reference's log-probabilities computed before";
}

std::string batch_text(const PostTraining& of) {
  if (!generates(of)) {
    const auto& model = std::get<sim::Transformer>(of.simulation.scenario.workload);
    return grouped(responses_of(of)) + " sequences of " + grouped(model.sequence) +
           " tokens, two for each pair";
  }
  const PostTrainingQuestion& asked = of.question;
  return counted(asked.prompts, "prompt", "prompts") + " of " + grouped(asked.prompt_tokens) +
         " tokens, " + counted(asked.responses, "response", "responses") + " each of " +
         grouped(asked.response_tokens) + " on average";
}

std::string generation_text(const PostTraining& of) {
  const sim::GenerationReport& report = of.generation;
  const auto decoders = static_cast<std::int64_t>(report.decoders);
  const std::int64_t gpus = of.simulation.scenario.cluster.gpus / decoders;
  return counted(decoders, "copy", "copies") + " on " + counted(gpus, "GPU", "GPUs") + ", " +
         counted(static_cast<std::int64_t>(report.responses), "response", "responses") + " each, " +
         grouped(static_cast<std::int64_t>(report.slots)) + " at once; " +
         grouped(std::llround(report.token_steps)) + " token steps";
}

std::string training_text(const PostTraining& of) {
  const scenarios::Scenario& scenario = of.simulation.scenario;
  const auto& model = std::get<sim::Transformer>(scenario.workload);
  return counted(of.question.steps, "step", "steps") + " on " +
         grouped(scenario.baseline.global_batch) + " packed sequences of " +
         grouped(model.sequence) + " tokens";
}

std::string throughput_text(const PostTraining& of) {
  return scaled(tokens_per_s(of)) + " tokens/s, " + scaled(gpu_hours(of)) +
         " GPU-hours an iteration";
}

Table parts_table(const PostTraining& of) {
  Table table{.columns = {{"part", "part"},
                          {"seconds", "s", Show::fixed3},
                          {"share", "share", Show::percent}}};
  const sim::Seconds whole = iteration_of(of);
  for (const IterationPart& part : of.parts) {
    table.rows.push_back({Cell(part.words), Cell(part.time.value), Cell(part.time / whole)});
  }
  return table;
}

Json generation_json(const PostTraining& of) {
  const sim::GenerationReport& report = of.generation;
  return {{"copies", static_cast<std::int64_t>(report.decoders)},
          {"responses", static_cast<std::int64_t>(report.responses)},
          {"at_once", static_cast<std::int64_t>(report.slots)},
          {"token_steps", report.token_steps}};
}

Json memory_json(const PostTraining& of) {
  Json memory = Json::object();
  if (generates(of)) {
    memory["generation_weights_bytes"] = of.generation.memory.weights.value;
    memory["longest_response_bytes"] = of.generation.memory.response.value;
    memory["generation_room_bytes"] = positive(of.generation.memory.room).value;
  }
  memory["reference_bytes"] = of.reference.value;
  return memory;
}

}  // namespace

Document post_training_document(const PostTraining& of) {
  const scenarios::Scenario& scenario = of.simulation.scenario;
  Document document{.title = scenario.name};
  Facts facts{.items = {{"scenario", scenario.name}, {"method", method_text(of)}}};
  if (!has_iteration(of)) {
    facts.items.emplace_back("result", "no run: " + reason_of(of).value_or(""));
    document.add(facts);
    return document;
  }
  facts.items.emplace_back("GPUs", grouped(scenario.cluster.gpus));
  facts.items.emplace_back("batch", batch_text(of));
  if (generates(of)) {
    facts.items.emplace_back("generation", generation_text(of));
    facts.items.emplace_back("training", training_text(of));
  }
  facts.items.emplace_back("iteration", duration(iteration_of(of)));
  facts.items.emplace_back("throughput", throughput_text(of));
  document.add(facts);
  document.add(parts_table(of));
  return document;
}

Json post_training_json(const PostTraining& of) {
  const Simulation& simulation = of.simulation;
  Json document = support::new_document("post-training");
  document["scenario"] = simulation.scenario.name;
  document["scenario_sha256"] = simulation.scenario.sha256;
  document["config"] = config_json(simulation.config);
  document["status"] = status_of(of);
  document["why"] = json_of(Cell(reason_of(of)));
  document["method"] = generates(of) ? "grpo" : "dpo";
  const bool runs = has_iteration(of);
  document["iteration_s"] = runs ? Json(iteration_of(of).value) : Json();
  if (has_step(simulation)) document["memory"] = memory_json(of);
  if (!runs) return document;
  for (const IterationPart& part : of.parts) document["parts_s"][part.key] = part.time.value;
  if (generates(of)) document["generation"] = generation_json(of);
  document["training"] = {
      {"steps", generates(of) ? of.question.steps : 1},
      {"sequences", simulation.scenario.baseline.global_batch},
      {"tokens", std::get<sim::Transformer>(simulation.scenario.workload).sequence},
      {"step_s", simulation.report.step.value}};
  document["responses"] = responses_of(of);
  document["tokens"] = tokens_of(of);
  document["tokens_per_s"] = tokens_per_s(of);
  document["gpu_hours"] = gpu_hours(of);
  return document;
}

}  // namespace cubicbench::results
