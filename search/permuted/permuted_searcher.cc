#include "search/permuted/permuted_searcher.h"

#include <optional>

namespace cubicbench::search {
namespace {

class PermutedSearcher final : public Searcher {
 public:
  PermutedSearcher(const SearcherSpec& spec, const SearchContext& context, std::uint64_t key,
                   Shuffled which)
      : permuted_(context.space, key, which),
        searcher_(make_searcher(
            spec, {.space = permuted_.space(), .seed = context.seed, .trials = context.trials})) {}

  std::optional<Proposal> ask() override {
    std::optional<Proposal> proposal = searcher_->ask();
    if (proposal) proposal->config = permuted_.original(proposal->config);
    return proposal;
  }

  void tell(const ToldTrial& trial) override {
    ToldTrial seen = trial;
    seen.config = permuted_.permuted(trial.config);
    searcher_->tell(seen);
  }

 private:
  PermutedSpace permuted_;
  std::unique_ptr<Searcher> searcher_;  ///< of the space above
};

}  // namespace

std::unique_ptr<Searcher> make_permuted_searcher(const SearcherSpec& spec,
                                                 const SearchContext& context, std::uint64_t key,
                                                 Shuffled which) {
  return std::make_unique<PermutedSearcher>(spec, context, key, which);
}

std::unique_ptr<Searcher> searcher_of(const StudySpec& spec, const scenarios::Scenario& scenario) {
  const SearchContext context{.space = scenario.space,
                              .seed = static_cast<std::uint64_t>(spec.seed),
                              .trials = spec.trials};
  if (!spec.permute) return make_searcher(spec.searcher, context);
  return make_permuted_searcher(spec.searcher, context,
                                permutation_key(scenario.sha256, context.seed));
}

}  // namespace cubicbench::search
