#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "search/tpe/cut_normal.h"

namespace cubicbench::search {

/// A knob as an estimator sees it.
struct KnobLevels {
  std::size_t levels = 1;
  bool ordered = false;  ///< neighbours of what was observed are likely too; else all are alike
};

/// The weights of `observations` in the order of their trials, then that of the prior; they add up
/// to 1. The latest 25 and the prior weigh the same, older ones the less the older they are.
std::vector<double> parzen_weights(std::size_t observations);

/// How wide the normals of an estimator of `knobs` knobs together are, in steps of a knob with so
/// many levels: by Scott's rule, as in [Falkner18].
double joint_width(std::size_t observations, std::size_t knobs, std::size_t levels);

/// What one kernel of an estimator gives the levels of a knob: one around an observed level, or the
/// prior. `normals` must outlive it.
class KnobKernel {
 public:
  /// `width`: of a normal around an observed level of an ordered knob.
  KnobKernel(const KnobLevels& knob, std::size_t observations, double width, CutNormals& normals);

  double observed(std::size_t centre, std::size_t level) const;
  double prior(std::size_t level) const;

 private:
  KnobLevels knob_;
  double others_;  ///< of labels: what a level that was not observed has
  std::optional<CutNormal> normal_;
  const CutNormal* prior_ = nullptr;
};

/// The Parzen estimator of one knob: what it gives each level [Bergstra11]. `observed`
/// are levels in the order of their trials. Without a `width` each normal is as wide as the way to
/// the further of its neighbours.
std::vector<double> parzen_density(const KnobLevels& knob, std::span<const std::size_t> observed,
                                   std::optional<double> width, CutNormals& normals);

}  // namespace cubicbench::search
