#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/workload/recommendation.h"

namespace cubicbench::datasets {

/// A setting that results do not state.
struct AssumedSetting {
  std::string name;
  std::string value;  ///< as `--set` has it
  std::string why;
};

/// The tables of a published model; the first entry whose text the model's name contains counts.
struct KnownTables {
  std::string contains;
  std::vector<sim::TableGroup> groups;
  std::string why;
};

/// Its dense parts, as stacks with as many weights. `over.inputs` follows from the tables.
struct KnownArchs {
  std::string contains;  ///< in the model's name or the name of its interaction
  sim::DenseArch dense;
  sim::DenseArch over;
  std::string why;
};

/// How results of one framework are simulated; "" is contained in every name.
struct KnownFramework {
  std::string contains;
  std::string stack;
  std::vector<AssumedSetting> settings;
  std::string why;
};

/// Settings of a stated precision, which go before the framework's.
struct KnownPrecision {
  std::string contains;
  std::vector<AssumedSetting> settings;
};

/// What published results of recommendation models leave open.
struct RecommendationDefaults {
  std::vector<KnownTables> tables;
  std::vector<KnownArchs> archs;
  std::vector<KnownFramework> frameworks;
  std::vector<KnownPrecision> precisions;
};

/// Reads schema `cubicbench.measured_recommendation/1`. Throws InputError with every problem.
RecommendationDefaults read_recommendation_defaults(std::string_view text, const std::string& file);

/// Those that ship (datasets/measured/recommendation.json), read once. Threads may call it at the
/// same time.
const RecommendationDefaults& recommendation_defaults();

}  // namespace cubicbench::datasets
