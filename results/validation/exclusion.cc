#include "results/validation/exclusion.h"

#include <set>
#include <tuple>

#include "datasets/mapping/mapped_collective.h"

namespace cubicbench::results {
namespace {

using datasets::CollectiveMeasurement;
using datasets::MeasurementQuality;
using datasets::MeasurementStatus;

Exclusion exclusion_of(const datasets::Measurement& row, const WantedRows& wanted) {
  if (row.status == MeasurementStatus::requirement) return Exclusion::requirement;
  if (row.status == MeasurementStatus::other) return Exclusion::other;
  if (wanted.qualities.contains(row.quality)) return Exclusion::none;
  if (row.quality == MeasurementQuality::flag) return Exclusion::flag;
  return row.quality == MeasurementQuality::untuned ? Exclusion::untuned : Exclusion::none;
}

Exclusion exclusion_of(const CollectiveMeasurement& row, bool flagged) {
  if (!datasets::is_wanted(row)) return Exclusion::unnamed;
  return datasets::is_flagged(row) && !flagged ? Exclusion::flag : Exclusion::none;
}

/// What two timings share that differ in their buffers alone. What else is said of a row, such as
/// its notes, may be said of one of them only.
auto operation_of(const CollectiveMeasurement& row) {
  return std::tie(row.source, row.system, row.collective, row.n_gpus, row.size_bytes, row.dtype,
                  row.nccl_version, row.sweep_id, row.concurrent_groups);
}

struct OperationLess {
  bool operator()(const CollectiveMeasurement* a, const CollectiveMeasurement* b) const {
    return operation_of(*a) < operation_of(*b);
  }
};

}  // namespace

std::vector<Exclusion> exclusions_of(const datasets::Measurements& table,
                                     const WantedRows& wanted) {
  std::vector<Exclusion> exclusions;
  for (const datasets::Measurement& row : table.rows) {
    exclusions.push_back(exclusion_of(row, wanted));
  }
  return exclusions;
}

std::vector<Exclusion> exclusions_of(const datasets::CollectiveMeasurements& table,
                                     const WantedRows& wanted) {
  const bool flagged = wanted.qualities.contains(MeasurementQuality::flag);
  std::set<const CollectiveMeasurement*, OperationLess> out_of_place;
  for (const CollectiveMeasurement& row : table.rows) {
    if (row.placement == "out_of_place") out_of_place.insert(&row);
  }
  std::vector<Exclusion> exclusions;
  for (const CollectiveMeasurement& row : table.rows) {
    const bool twin = row.placement == "in_place" && out_of_place.contains(&row);
    exclusions.push_back(twin ? Exclusion::duplicate : exclusion_of(row, flagged));
  }
  return exclusions;
}

std::vector<Exclusion> exclusions_of(const datasets::RecommendationMeasurements& table,
                                     const WantedRows& /*all*/) {
  std::vector<Exclusion> exclusions;
  for (const datasets::RecommendationMeasurement& row : table.rows) {
    exclusions.push_back(row.repeat_of_round.empty() ? Exclusion::none : Exclusion::duplicate);
  }
  return exclusions;
}

}  // namespace cubicbench::results
