#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/workload/recommendation.h"
#include "support/json/object_reader.h"

namespace cubicbench::scenarios {

/// Reads a `workload` of kind "recommendation": its tables, one by one or as a set of which
/// statistics are known, and its archs. Problems are added to the reader's; after one the model may
/// not be used.
sim::Recommendation read_recommendation(support::ObjectReader& in);

/// Groups of tables from the array at `key`, or from the object at "table_set" in its place.
std::vector<sim::TableGroup> read_tables(support::ObjectReader& in, std::string_view key);

/// The keys "dense", "sequence", "interaction" and "over" of a model without tables.
sim::Recommendation read_archs(support::ObjectReader& in);

/// What is wrong with tables and archs together, and the key to blame; no text where nothing is.
struct Mismatch {
  std::string_view key;
  std::string text;
};
Mismatch mismatch(const sim::Recommendation& model);

}  // namespace cubicbench::scenarios
