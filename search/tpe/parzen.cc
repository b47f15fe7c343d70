#include "search/tpe/parzen.h"

#include <algorithm>
#include <cmath>

#include "sim/base/numeric.h"

namespace cubicbench::search {
namespace {

constexpr std::size_t latest = 25;

/// No normal is narrower than this, in steps: the "magic clip".
double least_width(std::size_t observations, std::size_t levels) {
  const double kernels = static_cast<double>(observations) + 1.0;
  return static_cast<double>(levels) / std::min(100.0, 1.0 + kernels);
}

double clipped(double width, std::size_t observations, std::size_t levels) {
  return std::clamp(width, least_width(observations, levels), static_cast<double>(levels));
}

/// Kernels that share a centre: places in half steps, since the prior stands in the middle.
struct Centre {
  std::size_t twice = 0;
  std::vector<double> weights;  ///< in the order of the trials
  std::optional<double> prior;  ///< the weight of the prior, if it stands here
};

std::vector<Centre> centres_of(std::size_t levels, std::span<const std::size_t> observed,
                               std::span<const double> weights) {
  std::vector<std::vector<double>> by_level(levels);
  for (std::size_t i = 0; i < observed.size(); ++i) by_level[observed[i]].push_back(weights[i]);
  const std::size_t middle = levels - 1;
  std::vector<Centre> centres;
  for (std::size_t twice = 0; twice < 2 * levels - 1; ++twice) {
    Centre centre{.twice = twice, .weights = {}, .prior = {}};
    if (twice % 2 == 0) centre.weights = std::move(by_level[twice / 2]);
    if (twice == middle) centre.prior = weights.back();
    if (!centre.weights.empty() || centre.prior) centres.push_back(std::move(centre));
  }
  return centres;
}

/// Adds normals of one width to a density.
class DensitySum {
 public:
  DensitySum(std::size_t levels, CutNormals& normals) : density_(levels, 0.0), normals_(normals) {}

  void add(std::size_t centre_twice, double width, double weight) {
    if (weight == 0.0) return;
    const CutNormal& normal = normals_.of(width, density_.size());
    for (std::size_t level = 0; level < density_.size(); ++level) {
      density_[level] += weight * normal.mass(centre_twice, level);
    }
  }

  std::vector<double> take() { return std::move(density_); }

 private:
  std::vector<double> density_;
  CutNormals& normals_;
};

/// Where neighbours are, in half steps. The outermost kernels look inwards only.
struct Gaps {
  std::size_t left = 0;
  std::size_t right = 0;
};

Gaps gaps_of(std::span<const Centre> centres, std::size_t i) {
  return {.left = i > 0 ? centres[i].twice - centres[i - 1].twice : 0,
          .right = i + 1 < centres.size() ? centres[i + 1].twice - centres[i].twice : 0};
}

/// Kernels on one place stand next to each other in the order of their trials: the oldest has its
/// neighbour on the left, the latest on the right, those between none. The prior comes last, and
/// has its own width.
void add_neighbour_widths(DensitySum& sum, const Centre& centre, const Gaps& gaps,
                          std::size_t observations, std::size_t levels) {
  const std::size_t kernels = centre.weights.size() + (centre.prior ? 1 : 0);
  double inner = 0.0;
  const auto add = [&](std::size_t halves, double weight) {
    const double width = 0.5 * static_cast<double>(halves);
    sum.add(centre.twice, clipped(width, observations, levels), weight);
  };
  for (std::size_t i = 0; i < centre.weights.size(); ++i) {
    const bool first = i == 0;
    const bool last = i + 1 == kernels;
    const std::size_t gap = std::max(first ? gaps.left : 0, last ? gaps.right : 0);
    if (gap == 0) {
      inner += centre.weights[i];
    } else {
      add(gap, centre.weights[i]);
    }
  }
  add(0, inner);
}

std::vector<double> ordered_density(std::size_t levels, std::span<const std::size_t> observed,
                                    std::optional<double> width, CutNormals& normals) {
  const std::vector<double> weights = parzen_weights(observed.size());
  const std::vector<Centre> centres = centres_of(levels, observed, weights);
  DensitySum sum(levels, normals);
  for (std::size_t i = 0; i < centres.size(); ++i) {
    const Centre& centre = centres[i];
    if (width) {
      double weight = 0.0;
      for (const double one : centre.weights) weight += one;
      sum.add(centre.twice, clipped(*width, observed.size(), levels), weight);
    } else {
      add_neighbour_widths(sum, centre, gaps_of(centres, i), observed.size(), levels);
    }
    if (centre.prior) sum.add(centre.twice, static_cast<double>(levels), *centre.prior);
  }
  return sum.take();
}

std::vector<double> label_density(const KnobLevels& knob, std::span<const std::size_t> observed,
                                  CutNormals& normals) {
  const KnobKernel kernel(knob, observed.size(), 1.0, normals);
  const std::vector<double> weights = parzen_weights(observed.size());
  std::vector<double> of_level(knob.levels, 0.0);
  for (std::size_t i = 0; i < observed.size(); ++i) of_level[observed[i]] += weights[i];
  std::vector<double> density;
  const double others = 1.0 - weights.back();
  for (std::size_t level = 0; level < knob.levels; ++level) {
    const double here = of_level[level];
    const std::size_t another = level == 0 ? 1 : 0;
    density.push_back(here * kernel.observed(level, level) +
                      (others - here) * kernel.observed(another, level) +
                      weights.back() * kernel.prior(level));
  }
  return density;
}

}  // namespace

std::vector<double> parzen_weights(std::size_t observations) {
  std::vector<double> weights(observations + 1, 1.0);
  const std::size_t old = observations > latest ? observations - latest : 0;
  const double first = 1.0 / static_cast<double>(std::max<std::size_t>(observations, 1));
  const double step = old > 1 ? (1.0 - first) / static_cast<double>(old - 1) : 0.0;
  for (std::size_t i = 0; i < old; ++i) weights[i] = first + step * static_cast<double>(i);
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  return weights;
}

double joint_width(std::size_t observations, std::size_t knobs, std::size_t levels) {
  const auto n = static_cast<double>(std::max<std::size_t>(observations, 1));
  const double scott = sim::pow(n, -1.0 / (static_cast<double>(knobs) + 4.0));
  return clipped(0.2 * scott * static_cast<double>(levels), observations, levels);
}

KnobKernel::KnobKernel(const KnobLevels& knob, std::size_t observations, double width,
                       CutNormals& normals)
    : knob_(knob), others_(1.0 / (static_cast<double>(observations) + 1.0)) {
  if (!knob_.ordered) return;
  normal_.emplace(width, knob_.levels);
  prior_ = &normals.of(static_cast<double>(knob_.levels), knob_.levels);
}

double KnobKernel::observed(std::size_t centre, std::size_t level) const {
  if (normal_) return normal_->mass(2 * centre, level);
  const double here = centre == level ? 1.0 + others_ : others_;
  return here / (1.0 + others_ * static_cast<double>(knob_.levels));
}

double KnobKernel::prior(std::size_t level) const {
  if (prior_) return prior_->mass(knob_.levels - 1, level);
  return 1.0 / static_cast<double>(knob_.levels);
}

std::vector<double> parzen_density(const KnobLevels& knob, std::span<const std::size_t> observed,
                                   std::optional<double> width, CutNormals& normals) {
  return knob.ordered ? ordered_density(knob.levels, observed, width, normals)
                      : label_density(knob, observed, normals);
}

}  // namespace cubicbench::search
