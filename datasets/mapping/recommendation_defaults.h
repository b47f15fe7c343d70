#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/workload/recommendation.h"

namespace cubicbench::datasets {

/// A setting that results do not state.
struct AssumedSetting {
  std::string name;
  std::string value;                  ///< as `--set` has it
  std::string device = "";            ///< of the library, to which alone it applies; "": any
  std::int64_t accelerators_min = 0;  ///< to results of as many and more
  std::string notes = "";             ///< to results whose notes contain it
};

/// The tables of a published model; the first entry whose text the model's name contains counts.
struct KnownTables {
  std::string contains;
  std::vector<sim::TableGroup> groups;
  /// The tables of each group share the vocabulary that a row states, and those of more than one
  /// column have its width.
  bool sized_by_row = false;
};

/// Its other parts.
struct KnownArchs {
  std::string contains;        ///< in the model's name or the name of its interaction
  sim::Recommendation model;   ///< without tables
  bool hidden_by_row = false;  ///< the over arch ends with its own layers, behind those of the row
};

/// A release of a framework that differs from the others: of results that name it, or of those of
/// a round that came with it.
struct KnownRelease {
  std::string contains;  ///< in the framework's text; "": told by what follows
  std::string round;     ///< of MLPerf
  std::string notes;     ///< text of the row's notes
  std::string stack;
};

/// What some results of a framework need that the simulator does not have.
struct KnownNeed {
  std::string notes;  ///< text of the row's notes
  std::string needs;
};

/// How results of one framework are simulated; "" is contained in every name. Of several settings
/// of one name the last that applies counts.
struct KnownFramework {
  std::string contains;
  std::string stack;
  std::vector<KnownRelease> releases;
  std::vector<KnownNeed> needs;
  /// Each GPU has room for the whole vocabulary that a row states.
  bool vocabulary_of_each_gpu = false;
  std::vector<AssumedSetting> settings;
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

/// The stack of results of that framework: the first release that fits them, else its own.
const std::string& stack_of(const KnownFramework& framework, std::string_view text,
                            std::string_view round, std::string_view notes);

/// Reads schema `cubicbench.measured_recommendation/1`. Throws InputError with every problem.
RecommendationDefaults read_recommendation_defaults(std::string_view text, const std::string& file);

/// Those that ship (datasets/measured/recommendation.json), read once. Threads may call it at the
/// same time.
const RecommendationDefaults& recommendation_defaults();

}  // namespace cubicbench::datasets
