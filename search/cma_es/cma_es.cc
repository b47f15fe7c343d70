#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "search/cma_es/knob_coordinates.h"
#include "search/cma_es/margin.h"
#include "search/cma_es/normal_cloud.h"
#include "search/searchers/fitness.h"
#include "search/searchers/known_trials.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr double middle = 0.5;
constexpr std::size_t points_max = 1'000;

constexpr std::array options{
    integer_option("population", 0, 0, points_max,
                   "points of a generation, at least 4; 0: 4 + 3 ln(coordinates)"),
    number_option("deviations", 6, 0.1, 1e6,
                  "first deviations that the range of a coordinate is wide"),
    number_option(
        "margin", 1, 0.01, 10,
        "least probability to leave a value, in units of 1 / (coordinates x population)")};

struct CmaSettings {
  std::size_t population = 0;
  double sigma = 0.0;
  double margin = 0.0;
};

/// A sample, the configuration that it became, and what that was worth.
struct Point {
  Configuration config{};
  std::vector<double> sample;
  Fitness fitness{};
};

class CmaEs final : public Searcher {
 public:
  CmaEs(const SearchContext& context, const CmaSettings& settings)
      : space_(context.space),
        seed_(context.seed),
        settings_(settings),
        unproposed_(space_, seed_),
        known_(space_),
        coordinates_(space_) {
    if (context.baseline) unproposed_.take(*context.baseline);
    if (coordinates_.size() == 0) return;
    std::vector<double> start(coordinates_.size(), middle);
    if (context.baseline) start = coordinates_.place_of(*context.baseline, start);
    const std::size_t points =
        settings_.population == 0 ? points_of_generation(start.size()) : settings_.population;
    begin(std::move(start), std::max<std::size_t>(points, 4));
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    RandomStream random(seed_, Stream::decision, asked_++);
    if (cloud_ && known_.tell_apart()) {
      if (auto config = next_point(random)) {
        return Proposal{.config = *std::move(config), .round = generation_};
      }
    }
    Configuration config = unproposed_.take_random().value();
    unsampled_.insert(space_.number_of(config));
    return Proposal{.config = std::move(config), .round = generation_};
  }

  void tell(const ToldTrial& trial) override {
    const Fitness fitness = known_.add(trial);
    const std::uint64_t number = space_.number_of(trial.config);
    if (!cloud_ || unsampled_.contains(number)) return;
    const auto found = running_.find(number);
    if (found == running_.end()) {
      add({.sample = coordinates_.place_of(trial.config, cloud_->mean()), .fitness = fitness});
      return;
    }
    found->second.fitness = fitness;
    add(std::move(found->second));
    running_.erase(found);
  }

  /// The distribution begins at the best that is known.
  void remember(const ToldTrial& known) override {
    const Fitness fitness = known_.add(known);
    if (!cloud_ || !fitness.success || (best_known_ && !(fitness > *best_known_))) return;
    best_known_ = fitness;
    begin(coordinates_.place_of(known.config, cloud_->mean()), cloud_->points());
  }

 private:
  void begin(std::vector<double> mean, std::size_t points) {
    const double margin = settings_.margin / static_cast<double>(mean.size() * points);
    const auto levels = coordinates_.levels();
    margin_.emplace(std::vector<std::int64_t>(levels.begin(), levels.end()),
                    std::min(margin, 0.49));
    cloud_.emplace(std::move(mean), settings_.sigma, points);
    told_.clear();
  }

  /// A sample whose configuration was never launched. One that was counts at once, at no cost.
  std::optional<Configuration> next_point(RandomStream& random) {
    const auto learn = [&](Point& point, const Fitness& fitness) {
      point.fitness = fitness;
      add(std::move(point));
    };
    std::optional<Point> point = fresh_draw(
        unproposed_, known_, [&] { return sampled(random); }, learn);
    if (!point) return std::nullopt;
    Configuration config = point->config;
    running_.emplace(space_.number_of(config), *std::move(point));
    return config;
  }

  /// Nothing if constraints reject its configuration.
  std::optional<Point> sampled(RandomStream& random) const {
    Point point{.sample = cloud_->sample(random)};
    std::vector<double> place(point.sample.size());
    for (std::size_t i = 0; i < place.size(); ++i) {
      place[i] = margin_->place(*cloud_, point.sample, i);
    }
    point.config = coordinates_.configuration_of(place);
    return space_.satisfies(point.config) ? std::optional(std::move(point)) : std::nullopt;
  }

  void add(Point point) {
    told_.push_back(std::move(point));
    if (told_.size() < cloud_->points()) return;
    std::ranges::stable_sort(told_, std::ranges::greater(), &Point::fitness);
    std::vector<std::vector<double>> best_first;
    for (Point& each : told_) best_first.push_back(std::move(each.sample));
    told_.clear();
    ++generation_;
    cloud_->update(best_first);
    if (cloud_->degenerate()) {
      restart();
    } else {
      margin_->correct(*cloud_);
    }
  }

  /// From a random place with twice the points.
  void restart() {
    RandomStream random(seed_, Stream::outcome, static_cast<std::uint64_t>(generation_));
    std::vector<double> mean(coordinates_.size());
    for (double& each : mean) each = random.uniform();
    begin(std::move(mean), std::min(2 * cloud_->points(), points_max));
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  CmaSettings settings_;
  Unproposed unproposed_;
  KnownTrials known_;
  KnobCoordinates coordinates_;
  std::optional<NormalCloud> cloud_;  ///< nothing where there is nothing to choose
  std::optional<Margin> margin_;
  std::vector<Point> told_;  ///< of the generation
  /// By number, asked for single ones alone.
  std::unordered_map<std::uint64_t, Point> running_;
  std::unordered_set<std::uint64_t> unsampled_;  ///< proposed at random
  std::optional<Fitness> best_known_{};
  std::uint64_t asked_ = 0;
  std::int64_t generation_ = 0;
};

std::unique_ptr<Searcher> make(const SearcherSpec& spec, const SearchContext& context) {
  return std::make_unique<CmaEs>(
      context, CmaSettings{.population = static_cast<std::size_t>(option_of(spec, "population")),
                           .sigma = 1.0 / option_of(spec, "deviations"),
                           .margin = option_of(spec, "margin")});
}

}  // namespace

/// CMA-ES with margin [Hamano22]: generations of samples of a normal distribution, which moves
/// towards the better ones [HansenTutorial16], and which keeps a chance for every knob to leave its
/// value. Steps and settings are those of `CMAwM` in the package cmaes 0.9.1.
///
/// Coordinates are those of `KnobCoordinates`, each from 0 to 1, with a first deviation of a sixth
/// as Optuna has it; the mean begins at the granted baseline, else in the middle. Of labels the
/// highest coordinate counts, after stretching by the margin. A coordinate of an inactive knob does
/// nothing. A sample that constraints reject is drawn again; one that was launched before counts
/// without a launch. Every trial that is told belongs to the generation that is being told: one
/// that was not sampled with its configuration's place, a random proposal not at all. Failures rank
/// below every success, among them fewer bytes beyond the memory limit are better where that is
/// told. A distribution that is degenerate begins anew at a random place with twice the points
/// [AugerHansen05]. Random while nothing tells configurations apart, and after a hundred samples in
/// vain.
SearcherEntry cma_es_searcher() {
  return {.name = "cma-es",
          .summary = "CMA-ES with margin: a normal distribution that follows the better samples",
          .options = options,
          .make = make};
}

}  // namespace cubicbench::search
