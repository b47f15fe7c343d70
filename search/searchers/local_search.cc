#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "search/searchers/incumbent.h"
#include "search/searchers/mutation.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr std::array local_search_options{
    integer_option("pairs", 40, 0, 100, "of 100 steps, those that change two parameters"),
    integer_option("patience", 25, 1, 1'000'000,
                   "steps without a better one after which a climb begins anew"),
    integer_option("kick", 4, 1, 1'000,
                   "changes of random parameters that a new climb from the best begins with")};

class LocalSearch final : public Searcher {
 public:
  LocalSearch(const SearchContext& context, std::uint64_t pairs, std::int64_t patience,
              std::int64_t kick)
      : space_(context.space),
        seed_(context.seed),
        unproposed_(space_, seed_),
        pairs_(pairs),
        patience_(patience),
        kick_(kick) {
    if (context.baseline) unproposed_.take(*context.baseline);
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    RandomStream random(seed_, Stream::decision, asked_++);
    std::optional<Configuration> config;
    if (!incumbent_.empty()) config = next_step(random);
    if (!config) config = unproposed_.take_random();
    return Proposal{.config = std::move(config).value(), .round = climb_};
  }

  void tell(const ToldTrial& trial) override {
    const auto measured = measured_of(trial);
    if (measured && kicked_ && trial.config == *kicked_) {
      incumbent_.jump(*measured);
      in_vain_ = 0;
    } else if (measured && incumbent_.climb(*measured)) {
      in_vain_ = 0;
    } else {
      ++in_vain_;
    }
  }

  /// The climb begins at the best that is known.
  void remember(const ToldTrial& known) override {
    if (const auto measured = measured_of(known)) incumbent_.climb(*measured);
  }

 private:
  std::optional<Configuration> next_step(RandomStream& random) {
    if (in_vain_ >= patience_) {
      in_vain_ = 0;
      ++climb_;
      kicked_ = fresh_mutation(space_, incumbent_.best().config, kick_, unproposed_, random);
      return kicked_;
    }
    const std::int64_t changes = random.below(100) < pairs_ ? 2 : 1;
    return fresh_mutation(space_, incumbent_.here().config, changes, unproposed_, random);
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  Unproposed unproposed_;
  std::uint64_t pairs_;
  std::int64_t patience_;
  std::int64_t kick_;
  Incumbent incumbent_;
  std::optional<Configuration> kicked_;
  std::int64_t in_vain_ = 0;  ///< steps since the last that was better
  std::uint64_t asked_ = 0;
  std::int64_t climb_ = 0;
};

std::unique_ptr<Searcher> make_local_search(const SearcherSpec& spec,
                                            const SearchContext& context) {
  const auto integer = [&](std::string_view name) {
    return static_cast<std::int64_t>(option_of(spec, name));
  };
  return std::make_unique<LocalSearch>(context, static_cast<std::uint64_t>(integer("pairs")),
                                       integer("patience"), integer("kick"));
}

}  // namespace

/// Stochastic local search [HoosStutzle04]: a random change of one parameter or two of where it
/// stands, which is taken as soon as it is measured better; after some steps in vain a few random
/// changes of the best found, whatever they are worth, and again. Begins with the granted baseline,
/// or with the first random configuration that runs.
SearcherEntry local_search_searcher() {
  return {.name = "local-search",
          .summary = "random changes of one or two parameters, kept when better",
          .options = local_search_options,
          .make = make_local_search};
}

}  // namespace cubicbench::search
