#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/sobol_points.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {
namespace {

constexpr int repeats_max = 1000;

class SobolSearch final : public Searcher {
 public:
  explicit SobolSearch(const SearchContext& context)
      : space_(context.space),
        seed_(context.seed),
        tabled_(std::min(space_.size(), SobolPoints::dimensions_max)),
        points_(SobolPoints::scrambled(tabled_, seed_)),
        unproposed_(space_, seed_),
        coordinates_(space_.size()) {
    if (context.baseline) unproposed_.take(*context.baseline);
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    scenarios::Configuration config(space_.size());
    for (int repeats = 0; repeats < repeats_max; ++repeats) {
      next_point();
      space_.configuration_along(coordinates_, config);
      if (unproposed_.take(config)) return Proposal{.config = std::move(config), .round = 0};
    }
    return Proposal{.config = unproposed_.take_random().value(), .round = 0};
  }

  void tell(const ToldTrial&) override {}

 private:
  void next_point() {
    points_.next(std::span(coordinates_).first(tabled_));
    for (std::size_t i = tabled_; i < coordinates_.size(); ++i) {
      coordinates_[i] = sim::random_words(search_draw(seed_, Stream::padding, point_,
                                                      static_cast<std::uint32_t>(i)))
                            .first;
    }
    ++point_;
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  std::size_t tabled_;
  SobolPoints points_;
  Unproposed unproposed_;
  std::vector<std::uint64_t> coordinates_;
  std::uint64_t point_ = 0;
};

std::unique_ptr<Searcher> make_sobol(const SearcherSpec&, const SearchContext& context) {
  return std::make_unique<SobolSearch>(context);
}

}  // namespace

/// Scrambled Sobol points, a dimension a parameter, mapped to configurations by
/// SearchSpace::configuration_along, so that every point gives one. Parameters beyond the 64th get
/// uniform coordinates. A point whose configuration was proposed before is passed over; after 1,000
/// of those in a row the next of the random order is proposed instead. Ends when the space is
/// exhausted. Ignores what it is told.
SearcherEntry sobol_searcher() {
  return {.name = "sobol",
          .summary = "scrambled Sobol points: spread over the space more evenly than random ones",
          .make = make_sobol};
}

}  // namespace cubicbench::search
