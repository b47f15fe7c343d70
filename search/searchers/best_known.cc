#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "search/searchers/incumbent.h"
#include "search/searchers/registry.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr std::array best_known_options{
    integer_option("count", 10, 1, 1'000'000, "how many of the best it launches")};

class BestKnown final : public Searcher {
 public:
  BestKnown(const SearchContext& context, std::size_t count)
      : space_(context.space), count_(count) {
    if (context.baseline) baseline_ = space_.number_of(*context.baseline);
  }

  void remember(const ToldTrial& known) override {
    const auto measured = measured_of(known);
    if (!measured) return;
    const std::uint64_t number = space_.number_of(known.config);
    const auto [place, is_new] = place_of_.try_emplace(number, known_.size());
    if (is_new) known_.push_back({.number = number});
    Known& one = known_[place->second];
    one.sum += measured->score;
    ++one.launches;
  }

  std::optional<Proposal> ask() override {
    if (!is_ranked_) rank();
    if (next_ == known_.size() || next_ == count_) return std::nullopt;
    Proposal proposal{.config = Configuration(space_.size())};
    space_.configuration_at(known_[next_++].number, proposal.config);
    return proposal;
  }

  void tell(const ToldTrial&) override {}

 private:
  /// A configuration that ran, and its measurements.
  struct Known {
    std::uint64_t number = 0;
    double sum = 0.0;  ///< of scores
    std::int64_t launches = 0;

    double mean() const { return sum / static_cast<double>(launches); }
  };

  /// The best first, of equal ones that which was known first. The granted baseline is launched
  /// anyway.
  void rank() {
    std::erase_if(known_, [&](const Known& one) { return one.number == baseline_; });
    std::ranges::stable_sort(known_, std::ranges::greater(), &Known::mean);
    is_ranked_ = true;
  }

  const scenarios::SearchSpace& space_;
  std::size_t count_;
  std::optional<std::uint64_t> baseline_;
  std::vector<Known> known_;
  std::unordered_map<std::uint64_t, std::size_t> place_of_;  ///< asked for single ones alone
  std::size_t next_ = 0;
  bool is_ranked_ = false;
};

std::unique_ptr<Searcher> make_best_known(const SearcherSpec& spec, const SearchContext& context) {
  return std::make_unique<BestKnown>(context, static_cast<std::size_t>(option_of(spec, "count")));
}

}  // namespace

/// Launches the best that a warm start tells, in turn, each once, and ends: what was found in a
/// simulator, for real. The best by the mean of their measurements.
SearcherEntry best_known_searcher() {
  return {.name = "best-known",
          .summary = "with --warm-start: the best of what that tells, in turn, each once",
          .options = best_known_options,
          .make = make_best_known,
          .is_check = true,
          .needs_known = true};
}

}  // namespace cubicbench::search
