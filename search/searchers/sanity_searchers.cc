// Searchers that learn nothing and believe something silly. Where one of them beats random search,
// the scenario gives away by the order in which it lists things what a search should find out, or
// the judgement rewards luck: they check the bench, not each other.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_set>

#include "scenarios/space/corner.h"
#include "search/searchers/registry.h"
#include "support/permutation.h"

namespace cubicbench::search {
namespace {

Proposal proposal_of(const scenarios::SearchSpace& space, std::uint64_t number) {
  Proposal proposal{.config = scenarios::Configuration(space.size()), .round = 0};
  space.configuration_at(number, proposal.config);
  return proposal;
}

class ConstantSearch final : public Searcher {
 public:
  explicit ConstantSearch(const SearchContext& context) : space_(context.space) {}

  std::optional<Proposal> ask() override { return proposal_of(space_, 0); }
  void tell(const ToldTrial&) override {}

 private:
  const scenarios::SearchSpace& space_;
};

class FirstValueSearch final : public Searcher {
 public:
  explicit FirstValueSearch(const SearchContext& context) : space_(context.space) {}

  std::optional<Proposal> ask() override {
    if (next_ == space_.count()) return std::nullopt;
    return proposal_of(space_, next_++);
  }
  void tell(const ToldTrial&) override {}

 private:
  const scenarios::SearchSpace& space_;
  std::uint64_t next_ = 0;
};

/// Bits that change nothing, since the constraints leave one value, lead to a corner that was
/// proposed before, which is passed over.
class CornerSearch final : public Searcher {
 public:
  explicit CornerSearch(const SearchContext& context)
      : space_(context.space), order_(scenarios::corner_count(space_), context.seed) {}

  std::optional<Proposal> ask() override {
    Proposal proposal{.config = scenarios::Configuration(space_.size()), .round = 0};
    for (int repeats = 0; repeats < repeats_max && next_ < order_.count(); ++repeats) {
      scenarios::corner_at(space_, order_(next_++), proposal.config);
      if (proposed_.insert(space_.number_of(proposal.config)).second) return proposal;
    }
    next_ = order_.count();
    return std::nullopt;
  }
  void tell(const ToldTrial&) override {}

 private:
  static constexpr int repeats_max = 100'000;  ///< in a row, after which there is hardly a new one

  const scenarios::SearchSpace& space_;
  support::Permutation order_;
  std::unordered_set<std::uint64_t> proposed_;  ///< asked for membership alone
  std::uint64_t next_ = 0;
};

template <typename Search>
std::unique_ptr<Searcher> make_sanity_searcher(const SearcherSpec&, const SearchContext& context) {
  return std::make_unique<Search>(context);
}

}  // namespace

/// Proposes the space's first configuration, again and again. Good only where that is the best one,
/// or where another draw of the noise counts.
SearcherEntry constant_searcher() {
  return {.name = "constant",
          .summary = "for checks: the space's first configuration, again and again",
          .make = make_sanity_searcher<ConstantSearch>,
          .is_check = true};
}

/// Proposes corners of the space in a random order, none twice: each parameter has the first or the
/// last value that conditions, constraints and the values before it leave. Good where the best lies
/// at the bounds of ranges.
SearcherEntry corner_searcher() {
  return {.name = "corner",
          .summary = "for checks: first and last values of parameters, in a random order",
          .make = make_sanity_searcher<CornerSearch>,
          .is_check = true};
}

/// Proposes configurations in the order of their numbers, from 0: those with the first values of
/// nearly all parameters. Good where the first values listed are the best.
SearcherEntry first_value_searcher() {
  return {.name = "first-value",
          .summary = "for checks: configurations in the order of their numbers",
          .make = make_sanity_searcher<FirstValueSearch>,
          .is_check = true};
}

}  // namespace cubicbench::search
