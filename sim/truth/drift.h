#pragma once

#include <cstdint>
#include <string_view>

#include "sim/hardware/stack.h"

namespace cubicbench::sim {

/// How the software of a cluster changes over calendar time: in releases, each as large as the one
/// before [docs/models.md, Eq. J-9]. Rates are those of a year's releases.
struct DriftModel {
  double releases_per_year = 0.0;  ///< 0: nothing ever changes
  double gemm_gain = 0.0;          ///< kernels run 1 + gain as fast, at most at the device's best
  double host_saving = 0.0;        ///< share of the host's work that goes
  double overlap_years = 0.0;      ///< until overlapping would cost nothing

  bool operator==(const DriftModel&) const = default;
};

/// Six releases a year: together kernels gain an eighth, a quarter of the host's work goes, and a
/// third of what overlapping costs. An assumption: published releases of one stack gain 3 to 7 %
/// each (docs/datasets.md), and after a year of them this one stops.
inline constexpr DriftModel assumed_releases{
    .releases_per_year = 6.0, .gemm_gain = 0.125, .host_saving = 0.25, .overlap_years = 3.0};

/// "none" (nothing changes) or "assumed-releases"; nullptr for any other name.
const DriftModel* find_drift_model(std::string_view name);

/// Share of a year's releases that are out `hours` after the first look at a cluster, in [0, 1]:
/// whole releases, and none that came later than a year. Looks begin anywhere between two releases,
/// where a number drawn under `seed` says.
double drift_progress(const DriftModel& model, double hours, std::uint64_t seed);

/// `stack` with that share of a year's releases. Memory is as before.
Stack released(Stack stack, const DriftModel& model, double progress);

}  // namespace cubicbench::sim
