#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "search/searchers/incumbent.h"
#include "search/searchers/knob_changes.h"
#include "search/searchers/mutation.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr std::array coordinate_options{
    integer_option("kick", 3, 1, 1'000,
                   "changes of random parameters that a new climb from the best begins with")};

class Coordinate final : public Searcher {
 public:
  Coordinate(const SearchContext& context, std::int64_t kick)
      : space_(context.space), seed_(context.seed), unproposed_(space_, seed_), kick_(kick) {
    if (context.baseline) unproposed_.take(*context.baseline);
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    RandomStream random(seed_, Stream::decision, asked_++);
    std::optional<Configuration> config;
    if (!incumbent_.empty()) config = next_change(random);
    if (!config) config = unproposed_.take_random();
    return Proposal{.config = std::move(config).value(), .round = pass_};
  }

  void tell(const ToldTrial& trial) override {
    const auto measured = measured_of(trial);
    if (!measured) return;
    if (kicked_ && trial.config == *kicked_) {
      incumbent_.jump(*measured);
      begin_pass();
    } else if (incumbent_.climb(*measured)) {
      improved_ = true;
    }
  }

 private:
  void begin_pass() {
    ++pass_;
    improved_ = false;
    knobs_.clear();
    changes_.clear();
    passing_ = false;
  }

  /// The next change of the pass; after a pass that changed nothing a kick from the best.
  std::optional<Configuration> next_change(RandomStream& random) {
    while (true) {
      while (!changes_.empty()) {
        Configuration next = std::move(changes_.front());
        changes_.pop_front();
        if (unproposed_.take(next)) return next;
      }
      if (!knobs_.empty()) {
        list_changes(random);
      } else if (!passing_ || improved_) {
        list_knobs(random);
      } else {
        begin_pass();
        return kicked(random);
      }
    }
  }

  void list_knobs(RandomStream& random) {
    begin_pass();
    passing_ = true;
    knobs_.resize(space_.size());
    std::iota(knobs_.begin(), knobs_.end(), std::size_t{0});
    shuffle(knobs_, random);
  }

  void list_changes(RandomStream& random) {
    const std::size_t knob = knobs_.back();
    knobs_.pop_back();
    std::vector<Configuration> changes =
        knob_changes(space_, incumbent_.here().config, knob, incumbent_.best().config);
    shuffle(changes, random);
    changes_.assign(changes.begin(), changes.end());
  }

  std::optional<Configuration> kicked(RandomStream& random) {
    kicked_ = fresh_mutation(space_, incumbent_.best().config, kick_, unproposed_, random);
    return kicked_;
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  Unproposed unproposed_;
  std::int64_t kick_;
  Incumbent incumbent_;
  std::vector<std::size_t> knobs_;     ///< of the pass, those that are to come
  std::deque<Configuration> changes_;  ///< of the knob, likewise
  bool passing_ = false;               ///< a pass has begun
  bool improved_ = false;              ///< in this pass
  std::optional<Configuration> kicked_;
  std::uint64_t asked_ = 0;
  std::int64_t pass_ = 0;
};

std::unique_ptr<Searcher> make_coordinate(const SearcherSpec& spec, const SearchContext& context) {
  return std::make_unique<Coordinate>(context, static_cast<std::int64_t>(option_of(spec, "kick")));
}

}  // namespace

/// One parameter at a time, as engineers tune: from the granted baseline, or from the first random
/// configuration that runs, all other values of each parameter in turn, in random order, keeping
/// what is measured better; pass after pass, until one changes nothing. Then a few random changes
/// of the best found, whatever they are worth, and again.
SearcherEntry coordinate_searcher() {
  return {.name = "coordinate",
          .summary = "one parameter at a time from the baseline, as engineers tune",
          .options = coordinate_options,
          .make = make_coordinate};
}

}  // namespace cubicbench::search
