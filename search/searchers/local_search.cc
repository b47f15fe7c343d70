#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "search/searchers/mutation.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {
namespace {

constexpr int mutations_max = 100;

class LocalSearch final : public Searcher {
 public:
  explicit LocalSearch(const SearchContext& context)
      : space_(context.space), seed_(context.seed), unproposed_(context.space, context.seed) {}

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    RandomStream random(seed_, Stream::decision, asked_++);
    for (int tries = 0; best_ && tries < mutations_max; ++tries) {
      scenarios::Configuration child = best_->config;
      if (mutate(space_, child, random) && unproposed_.take(child)) {
        return Proposal{.config = std::move(child), .round = 0};
      }
    }
    return Proposal{.config = unproposed_.take_random().value(), .round = 0};
  }

  void tell(const ToldTrial& trial) override {
    if (!trial.score || std::isnan(*trial.score)) return;
    if (!best_ || *trial.score > *best_->score) best_ = trial;
  }

 private:
  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  Unproposed unproposed_;
  std::optional<ToldTrial> best_;  ///< has a score
  std::uint64_t asked_ = 0;
};

std::unique_ptr<Searcher> make(const SearcherSpec&, const SearchContext& context) {
  return std::make_unique<LocalSearch>(context);
}

}  // namespace

/// The best trial told so far has a child by one mutation, again and again. Random until a trial
/// succeeds, and after 100 mutations that led to nothing new. Ends when the space is exhausted.
SearcherEntry local_searcher() {
  return {.name = "local", .summary = "mutates the best so far", .options = {}, .make = make};
}

}  // namespace cubicbench::search
