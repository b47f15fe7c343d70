#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "support/permutation.h"

namespace cubicbench::search {
namespace {

constexpr std::array random_search_options{
    integer_option("replacement", 0, 0, 1, "1: a configuration may be proposed again; 0: never")};

class RandomSearch final : public Searcher {
 public:
  RandomSearch(const SearchContext& context, bool replacement)
      : space_(context.space),
        seed_(context.seed),
        order_(context.space.count(), context.seed),
        replacement_(replacement) {
    if (context.baseline) granted_ = space_.number_of(*context.baseline);
  }

  std::optional<Proposal> ask() override {
    const std::optional<std::uint64_t> number = replacement_ ? drawn() : next();
    if (!number) return std::nullopt;
    Proposal proposal{.config = scenarios::Configuration(space_.size()), .round = 0};
    space_.configuration_at(*number, proposal.config);
    return proposal;
  }

  void tell(const ToldTrial&) override {}

 private:
  std::uint64_t drawn() {
    return sim::uniform_below(search_draw(seed_, Stream::replacement, asked_++, 0), space_.count());
  }

  /// Of the order, the next one that is not known already.
  std::optional<std::uint64_t> next() {
    while (asked_ < space_.count()) {
      const std::uint64_t number = order_(asked_++);
      if (number != granted_) return number;
    }
    return std::nullopt;
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  support::Permutation order_;
  bool replacement_;
  std::optional<std::uint64_t> granted_{};  ///< number of the baseline, which is known already
  std::uint64_t asked_ = 0;
};

std::unique_ptr<Searcher> make_random_search(const SearcherSpec& spec,
                                             const SearchContext& context) {
  return std::make_unique<RandomSearch>(context, option_of(spec, "replacement") != 0);
}

}  // namespace

/// Uniform random search over the space, constraints included: every order of its configurations is
/// as likely as any other, and each comes once, so a study of k trials is a draw of k without
/// replacement. With option `replacement` every proposal is drawn from all of them anew. Ends,
/// unless with replacement, when the space is exhausted. Ignores what it is told.
SearcherEntry random_searcher() {
  return {.name = "random",
          .summary = "uniform over the configurations that satisfy the constraints, none twice",
          .options = random_search_options,
          .make = make_random_search};
}

}  // namespace cubicbench::search
