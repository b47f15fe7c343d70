#pragma once

#include <vector>

#include "datasets/tables/collective_measurement.h"
#include "datasets/tables/measurement.h"
#include "datasets/tables/recommendation_measurement.h"
#include "results/validation/validate_tables.h"
#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// One per row.
std::vector<Exclusion> exclusions_of(const datasets::Measurements& table, const WantedRows& wanted);
/// An operation in place is a duplicate where the same was measured out of place. Of the others
/// those that no simulation is asked for are not wanted, see datasets::is_wanted().
std::vector<Exclusion> exclusions_of(const datasets::CollectiveMeasurements& table,
                                     const WantedRows& wanted);
/// A result that was carried over from an earlier round is a duplicate.
std::vector<Exclusion> exclusions_of(const datasets::RecommendationMeasurements& table,
                                     const WantedRows& wanted);

}  // namespace cubicbench::results
