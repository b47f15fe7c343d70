#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"
#include "search/tpe/joint_proposal.h"
#include "search/tpe/knob_proposal.h"
#include "search/tpe/tpe_trials.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr std::array options{
    integer_option("first", 10, 1, 100'000,
                   "trials that are told before it chooses; until then proposals are random"),
    integer_option("candidates", 24, 1, 10'000, "draws from the good, of which the best is taken")};

class Tpe final : public Searcher {
 public:
  Tpe(const SearchContext& context, std::size_t first, std::size_t candidates, bool joint)
      : space_(context.space),
        seed_(context.seed),
        first_(first),
        candidates_(candidates),
        joint_(joint),
        unproposed_(space_, seed_) {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    asked_ = 1;
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    RandomStream random(seed_, Stream::decision, asked_++);
    std::optional<Configuration> config;
    if (trials_.size() >= first_ && trials_.informed()) {
      config = joint_ ? joint_proposal(random) : knob_proposal(random);
    }
    if (!config) config = unproposed_.take_random();
    return Proposal{.config = std::move(config).value(), .round = 0};
  }

  void tell(const ToldTrial& trial) override { trials_.add(trial); }

 private:
  /// After each that was proposed before, one draw fewer: the last is any of the good.
  std::optional<Configuration> knob_proposal(RandomStream& random) {
    const KnobProposal proposal(space_, trials_, normals_);
    Configuration config(space_.size());
    for (std::size_t draws = candidates_; draws > 0; --draws) {
      proposal.draw(draws, random, config);
      if (unproposed_.take(config)) return config;
    }
    return std::nullopt;
  }

  std::optional<Configuration> joint_proposal(RandomStream& random) {
    constexpr int rounds = 4;
    const JointProposal proposal(space_, trials_, normals_);
    for (int round = 0; round < rounds; ++round) {
      std::optional<Configuration> config = proposal.best_drawn(candidates_, unproposed_, random);
      if (config) {
        unproposed_.take(*config);
        return config;
      }
    }
    return std::nullopt;
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  std::size_t first_;
  std::size_t candidates_;
  bool joint_;
  Unproposed unproposed_;
  TpeTrials trials_;
  CutNormals normals_;
  std::uint64_t asked_ = 0;  ///< the granted baseline included
};

template <bool joint>
std::unique_ptr<Searcher> make(const SearcherSpec& spec, const SearchContext& context) {
  return std::make_unique<Tpe>(context, static_cast<std::size_t>(option_of(spec, "first")),
                               static_cast<std::size_t>(option_of(spec, "candidates")), joint);
}

}  // namespace

/// The tree-structured Parzen estimator [Bergstra11] as Optuna 3.1 has it with its defaults
/// [Akiba19]: of each knob, what is likely among good trials and not among the others. Ordinals
/// and integers count by their place, other knobs are labels. Failures are told as Optuna's
/// constraints are: below everything that ran, that which lacked less memory first.
///
/// Departures: the first proposals are uniform over the space, not knob by knob; a knob takes only
/// values that constraints leave it beside those chosen before; what was proposed before is drawn
/// again; while no trial is better than another proposals are random.
SearcherEntry tpe_searcher() {
  return {.name = "tpe",
          .summary = "tree-structured Parzen estimator, knob by knob, as in Optuna 3.1",
          .options = options,
          .make = make<false>};
}

/// The same for all knobs together, Optuna's multivariate=True: kernels are trials, and normals
/// are of one width. Knobs that some trial did not have are still drawn by themselves.
SearcherEntry tpe_multivariate_searcher() {
  return {.name = "tpe-multivariate",
          .summary = "the same for all knobs together",
          .options = options,
          .make = make<true>};
}

}  // namespace cubicbench::search
