#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "search/cubicml/modelled_rounds.h"
#include "search/cubicml/paper_rounds.h"
#include "search/searchers/registry.h"

namespace cubicbench::search {
namespace {

constexpr std::array options{
    integer_option("paper", 0, 0, 1, "1: networks as predictors, as in the paper"),
    in_paper(60, integer_option("random", 15, 1, 100'000,
                                "jobs of the random round, at most half the budget, of the paper's "
                                "two fifths")),
    integer_option("round", 10, 1, 100'000, "jobs of each later round"),
    integer_option("pairs", 200, 0, 100'000, "candidates that differ from the best in two knobs"),
    integer_option("judged", 100, 1, 100'000, "candidates whose uncertainty is worked out"),
    number_option("curious", 0.5, 0, 1,
                  "share of a round that is chosen by the improvement that is expected"),
    number_option("doubt", 2.5, 0.1, 100, "deviations of the score count so many times"),
    in_paper(2'000, integer_option("steps", 60, 1, 1'000'000,
                                   "of REINFORCE that train a policy in each round")),
    integer_option("batch", 8, 1, 10'000, "configurations a step of REINFORCE draws"),
    in_paper(0.02, number_option("rate", 0.1, 1e-6, 10, "of learning of the policy")),
    number_option("entropy", 0.01, 0, 10,
                  "reward for each nat that a parameter's distribution is spread"),
    number_option("baseline", 0.9, 0, 1, "how much of the moving mean reward a step keeps"),
    integer_option("ensemble", 10, 1, 1'000, "paper: networks of the speed predictor"),
    integer_option("hidden", 50, 1, 1'000, "paper: width of a network's two hidden layers"),
    integer_option("squared", 0, 0, 1, "paper: 1: networks learn the value; 0: its order"),
    number_option("margin", 0.5, 0, 10, "paper: of the ranking loss"),
    integer_option("epochs", 60, 1, 100'000,
                   "paper: passes of a network through the finished jobs"),
    integer_option("fits", 3, 1, 1'000, "paper: networks that predict whether a job fits"),
    integer_option("policies", 2, 1, 1'000,
                   "paper: policies trained a round, each from its own seed"),
    number_option("explore", 0.25, 0, 1,
                  "paper: share of an early round that single networks choose, each its own best"),
    integer_option("resample", 0, 0, 1,
                   "paper: 1: each network learns from jobs drawn with replacement"),
    number_option("decay", 3, 0, 100,
                  "paper: of a network's weights, per step and unit of learning rate")};

std::unique_ptr<Searcher> make(const SearcherSpec& spec, const SearchContext& context) {
  const auto integer = [&](std::string_view name) {
    return static_cast<std::int64_t>(option_of(spec, name));
  };
  const auto size = [&](std::string_view name) {
    return static_cast<std::size_t>(option_of(spec, name));
  };
  const ReinforceOptions reinforce{.steps = integer("steps"),
                                   .batch = integer("batch"),
                                   .rate = option_of(spec, "rate"),
                                   .entropy = option_of(spec, "entropy"),
                                   .baseline_decay = option_of(spec, "baseline")};
  if (integer("paper") == 0) {
    return modelled_rounds(context, {.random = integer("random"),
                                     .jobs_of_round = integer("round"),
                                     .pairs = size("pairs"),
                                     .judged = size("judged"),
                                     .curious = option_of(spec, "curious"),
                                     .doubt = option_of(spec, "doubt"),
                                     .reinforce = reinforce});
  }
  PaperOptions chosen{.random = integer("random"),
                      .jobs_of_round = integer("round"),
                      .policies = integer("policies"),
                      .explore = option_of(spec, "explore"),
                      .reinforce = reinforce};
  chosen.surrogate.feasibility_members = size("fits");
  predictor::MlpOptions& speed = chosen.surrogate.speed;
  speed.loss = integer("squared") == 1 ? predictor::MlpLoss::squared : predictor::MlpLoss::ranking;
  speed.members = size("ensemble");
  speed.hidden = size("hidden");
  speed.margin = option_of(spec, "margin");
  speed.epochs = size("epochs");
  speed.resample = integer("resample") == 1;
  speed.decay = option_of(spec, "decay");
  return paper_rounds(context, chosen);
}

}  // namespace

SearcherEntry cubicml_searcher() {
  return {.name = "cubicml",
          .summary = "rounds of jobs that a policy chose against learnt predictors",
          .options = options,
          .make = make};
}

}  // namespace cubicbench::search
