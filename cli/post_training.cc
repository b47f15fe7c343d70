#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "cli/options/shared_options.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/terminal.h"
#include "results/post_training/post_training_document.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

struct PostTrainingAsked {
  std::string name;
  std::vector<std::string> sets;
  results::PostTrainingQuestion question;
  bool without_reference = false;
  std::vector<std::string> of_generation;  ///< options that were given and are about it
  GlobalOptions global;
};

constexpr std::array<std::string_view, 2> method_names{"dpo", "grpo"};
constexpr std::int64_t most = 1'000'000;

/// An option of grpo, which alone generates.
template <class Field>
void declare_count(Options& options, PostTrainingAsked& asked, const std::string& name,
                   const std::string& placeholder, const std::string& help, Field& field,
                   std::int64_t least = 1) {
  options.value(name, placeholder, help, field,
                [&asked, least](const std::string& text, const std::string& where) {
                  asked.of_generation.push_back(where);
                  return Integer{least, most}(text, where);
                });
}

void declare_generation(Options& options, PostTrainingAsked& asked) {
  results::PostTrainingQuestion& question = asked.question;
  declare_count(options, asked, "--prompts", "N", "Prompts of an iteration (default: 16)",
                question.prompts);
  declare_count(options, asked, "--responses", "N", "Responses to each prompt (default: 64)",
                question.responses);
  declare_count(options, asked, "--prompt-length", "TOKENS", "Of each prompt (default: 256)",
                question.prompt_tokens);
  declare_count(options, asked, "--response-length", "TOKENS",
                "Mean length of the responses (default: 512)", question.response_tokens, 0);
  declare_count(options, asked, "--longest", "TOKENS",
                "Length of the longest response (default: twice the\nmean)", question.longest, 0);
  declare_count(options, asked, "--steps", "N",
                "Optimizer steps on what was generated (default: 1)", question.steps);
  declare_count(options, asked, "--generation-tensor", "N",
                "Tensor parallelism of generation (default: that of\ntraining)",
                question.generation_tensor);
}

void declare_post_training(Options& options, PostTrainingAsked& asked) {
  declare_scenario(options, asked.name);
  declare_set(options, "a setting", asked.sets);
  options
      .value("--method", "METHOD",
             "grpo (default): generate responses, then train on\nthem; dpo: train on pairs of "
             "responses",
             asked.question.method, Choice<results::PostTrainingMethod>{method_names})
      .check([&asked] {
        if (asked.question.method == results::PostTrainingMethod::grpo) return;
        if (asked.of_generation.empty()) return;
        throw support::InputError(asked.of_generation.front(),
                                  "expected --method grpo beside it: dpo generates nothing");
      });
  options.flag("--without-reference",
               "No pass of a frozen reference model: dpo has computed\nit before, grpo has no KL "
               "term",
               asked.without_reference);
  options.flag("--offload",
               "Keep in host memory what does not work: the training\nstate during generation, "
               "the reference between passes",
               asked.question.offload);
  declare_generation(options, asked);
}

Reply answer(const PostTrainingAsked& asked, const results::Screen& screen) {
  const scenarios::Scenario scenario = datasets::read_simulated(asked.name, asked.sets, nullptr);
  results::PostTrainingQuestion question = asked.question;
  question.reference = !asked.without_reference;
  const results::PostTraining of = results::post_training(scenario, asked.sets, question);
  if (asked.global.json) return support::document_text(results::post_training_json(of));
  return results::terminal_text(results::post_training_document(of), screen);
}

}  // namespace

Command post_training_command() {
  return command(words::post_training, declare_post_training, answer);
}

}  // namespace cubicbench::cli
