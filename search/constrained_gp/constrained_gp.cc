#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "search/constrained_gp/acquisition.h"
#include "search/constrained_gp/candidates.h"
#include "search/constrained_gp/learnt_process.h"
#include "search/constrained_gp/space_axes.h"
#include "search/constrained_gp/told_jobs.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr std::array options{
    integer_option(
        "first", 15, 1, 100'000,
        "random launches before the model, the baseline among them, at most half the budget"),
    integer_option("centres", 1, 1, 1'000, "of the best, those whose neighbours are candidates"),
    integer_option("pairs", 800, 0, 100'000, "candidates that differ from the best in two knobs"),
    integer_option("random", 200, 0, 100'000, "random candidates"),
    integer_option("climb", 0, 0, 1'000, "steps from the best candidate to its best neighbour"),
    integer_option("sweeps", 1, 0, 10, "of choosing a rate for each knob"),
    number_option("caution", 0.5, 0, 100, "of a rate of its own"),
    integer_option("memory", 1, 0, 1, "1: memory is a number where bytes are told"),
    integer_option("time", 1, 0, 1, "1: so is time"),
    number_option("sure", 0.75, 0, 1, "chance that what is recommended runs"),
    integer_option("expected", 1, 0, 1, "1: improves on the best that is expected, 0: measured"),
    integer_option("recommend", 1, 0, 1, "1: recommends the best that is expected, 0: measured"),
    number_option("clip", 0, 0, 100, "x"),
    integer_option("keep", 300, 10, 100'000, "jobs that a model keeps when it begins anew")};

struct GpOptions {
  std::int64_t first = 0;
  std::size_t centres = 0;
  std::size_t pairs = 0;
  std::int64_t random = 0;
  std::int64_t climb = 0;
  predictor::KernelSearch kernel;
  bool memory = true;
  bool time = true;
  double sure = 0.75;
  bool expected = true;
  bool recommend = true;
  std::size_t keep = 300;
  double clip = 0.0;
};

class ConstrainedGp final : public Searcher {
 public:
  ConstrainedGp(const SearchContext& context, const GpOptions& chosen)
      : space_(context.space),
        seed_(context.seed),
        options_(chosen),
        first_(std::min(chosen.first, std::max<std::int64_t>(1, context.trials / 2))),
        unproposed_(space_, seed_),
        axes_(space_),
        value_(axes_.axes(), chosen.kernel, chosen.keep),
        memory_(axes_.axes(), chosen.kernel, chosen.keep),
        time_(axes_.axes(), chosen.kernel, chosen.keep),
        failure_(axes_.axes(), chosen.kernel, chosen.keep) {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    asked_ = 1;
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    const std::int64_t number = asked_++;
    std::optional<Configuration> config;
    if (number >= first_) config = modelled(number);
    if (config) unproposed_.take(*config);
    if (!config) config = unproposed_.take_random();
    running_.push_back({.config = *config, .number = number});
    return Proposal{.config = std::move(config).value(), .round = 0};
  }

  void tell(const ToldTrial& trial) override {
    const auto same = [&](const auto& of) { return of.config == trial.config; };
    std::erase_if(running_, same);
    Job job = job_of(trial, axes_.levels_of(trial.config), gpus_of(trial.config));
    if (const auto given_up = std::ranges::find_if(jobs_, same); given_up != jobs_.end()) {
      *given_up = std::move(job);
      forget();
    } else {
      jobs_.push_back(std::move(job));
    }
    give_up_overtaken(trial.trial);
    learnt_ = false;
  }

  std::optional<Configuration> recommend() override {
    if (!options_.recommend) return std::nullopt;
    learn();
    if (!value_.informed()) return std::nullopt;
    const std::vector<Centre> ran = best_first(jobs_.size());
    const Acquisition acquisition(nullptr, limits(), 0.0);
    const Configuration* surest = nullptr;
    double chance_max = 0.0;
    for (const Centre& centre : ran) {
      Correlations at = acquisition.correlations(axes_.levels_of(centre.config));
      const double chance = acquisition.chance(at);
      if (chance >= options_.sure) return centre.config;
      if (chance > chance_max) {
        chance_max = chance;
        surest = &centre.config;
      }
    }
    return *surest;
  }

 private:
  struct Running {
    Configuration config;
    std::int64_t number = 0;
    std::int64_t overtaken = 0;  ///< trials that were asked for later and told before
  };

  /// Who is told of no failure sees it in what is never told.
  void give_up_overtaken(std::int64_t by) {
    constexpr std::int64_t patience = 8;
    for (Running& running : running_) running.overtaken += running.number < by ? 1 : 0;
    std::erase_if(running_, [&](const Running& running) {
      if (running.overtaken < patience) return false;
      jobs_.push_back({.config = running.config,
                       .levels = axes_.levels_of(running.config),
                       .end = JobEnd::failed});
      return true;
    });
  }

  void forget() {
    for (LearntProcess* learnt : {&value_, &memory_, &time_, &failure_}) learnt->forget();
  }

  void learn() {
    if (learnt_) return;
    learnt_ = true;
    believed_ = 0;
    value_.learn(value_lesson(jobs_, options_.clip));
    const bool bytes = options_.memory && tells_bytes(jobs_);
    if (bytes) memory_.learn(memory_lesson(jobs_));
    if (options_.time) time_.learn(time_lesson(jobs_));
    if (bytes && !bytes_) failure_.forget();
    bytes_ = bytes;
    failure_.learn(failure_lesson(jobs_, {.memory = !bytes, .time = !options_.time}));
  }

  /// One where launches do not differ in it.
  double gpus_of(const Configuration& config) const {
    const int knob = space_.find("gpus");
    if (knob < 0 || config[static_cast<std::size_t>(knob)] == scenarios::inactive) return 1.0;
    const auto parameter = static_cast<std::size_t>(knob);
    const auto value = static_cast<std::size_t>(config[parameter]);
    return static_cast<double>(space_.parameters()[parameter].values[value]);
  }

  void believe_running() {
    for (; believed_ < running_.size(); ++believed_) {
      const predictor::Levels levels = axes_.levels_of(running_[believed_].config);
      for (LearntProcess* learnt : {&value_, &memory_, &time_, &failure_}) {
        learnt->believe(levels);
      }
    }
  }

  std::vector<const predictor::GaussianProcess*> limits() const {
    std::vector<const predictor::GaussianProcess*> limits;
    for (const LearntProcess* learnt : {&memory_, &time_, &failure_}) {
      if (learnt->informed()) limits.push_back(&learnt->process());
    }
    return limits;
  }

  struct Centre {
    Configuration config;
    double value = 0.0;
  };

  /// Of what ran, the best by what the model expects of it.
  std::vector<Centre> best_first(std::size_t count) const {
    std::vector<Centre> centres;
    for (const Job& job : jobs_) {
      if (job.end != JobEnd::ran) continue;
      const double value =
          options_.expected && value_.informed() ? value_.process().at(job.levels).mean : job.score;
      centres.push_back({.config = job.config, .value = value});
    }
    std::ranges::stable_sort(centres, std::ranges::greater{}, &Centre::value);
    if (centres.size() > count) centres.resize(count);
    return centres;
  }

  std::optional<Configuration> modelled(std::int64_t number) {
    learn();
    if (!value_.informed() && limits().empty()) return std::nullopt;
    believe_running();
    const std::vector<Centre> centres = best_first(options_.centres);
    const double to_beat = options_.expected || !value_.informed()
                               ? (centres.empty() ? 0.0 : centres.front().value)
                               : std::ranges::max(value_lesson(jobs_, options_.clip).targets);
    const Acquisition acquisition(value_.informed() ? &value_.process() : nullptr, limits(),
                                  to_beat);
    RandomStream random(seed_, Stream::decision, static_cast<std::uint64_t>(number));
    CandidateList candidates(space_, axes_, unproposed_, acquisition);
    for (std::size_t i = 0; i < centres.size(); ++i) {
      candidates.add_neighbours(centres[i].config, i == 0 ? options_.pairs : 0, random);
    }
    Configuration drawn(space_.size());
    for (std::int64_t i = 0; i < options_.random; ++i) {
      space_.configuration_at(random.below(space_.count()), drawn);
      candidates.add(drawn);
    }
    std::optional<Configuration> best = candidates.best();
    for (std::int64_t step = 0; best && step < options_.climb; ++step) {
      const double before = candidates.best_worth();
      candidates.add_neighbours(*best, 0, random);
      best = candidates.best();
      if (!(candidates.best_worth() > before)) break;
    }
    return best;
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  GpOptions options_;
  std::int64_t first_;
  Unproposed unproposed_;
  SpaceAxes axes_;
  LearntProcess value_;
  LearntProcess memory_;
  LearntProcess time_;
  LearntProcess failure_;
  std::vector<Job> jobs_;
  std::vector<Running> running_;
  std::size_t believed_ = 0;  ///< of those that run, how many the models know of
  bool learnt_ = true;
  bool bytes_ = false;
  std::int64_t asked_ = 0;  ///< the granted baseline included
};

std::unique_ptr<Searcher> make(const SearcherSpec& spec, const SearchContext& context) {
  const auto integer = [&](std::string_view name) {
    return static_cast<std::int64_t>(option_of(spec, name));
  };
  const auto size = [&](std::string_view name) {
    return static_cast<std::size_t>(option_of(spec, name));
  };
  GpOptions chosen;
  chosen.first = integer("first");
  chosen.centres = size("centres");
  chosen.pairs = size("pairs");
  chosen.random = integer("random");
  chosen.climb = integer("climb");
  chosen.kernel.sweeps = size("sweeps");
  chosen.kernel.caution = option_of(spec, "caution");
  chosen.memory = integer("memory") == 1;
  chosen.time = integer("time") == 1;
  chosen.sure = option_of(spec, "sure");
  chosen.expected = integer("expected") == 1;
  chosen.recommend = integer("recommend") == 1;
  chosen.clip = option_of(spec, "clip");
  chosen.keep = size("keep");
  return std::make_unique<ConstrainedGp>(context, chosen);
}

}  // namespace

SearcherEntry constrained_gp_searcher() {
  return {.name = "constrained-gp",
          .summary = "Bayesian optimisation with memory as a modelled number",
          .options = options,
          .make = make};
}

}  // namespace cubicbench::search
