#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/family/drawn_values.h"
#include "scenarios/family/ladder.h"

namespace cubicbench::scenarios {

/// Which members a family takes, by properties that no searcher has a part in. Both ends count.
struct Acceptance {
  struct Limits {
    double min = 0.0;
    double max = 0.0;
  };

  Limits configurations;  ///< of the space
  Limits runs;            ///< share of configurations that run
  Limits gain;            ///< the optimum over the baseline, or the other way where less is better
  Limits percentile;      ///< of the baseline among what runs, in percent
};

/// A distribution over problems [docs/families.md]: the pattern of a scenario, the values that are
/// drawn into it, the rule of its baselines, and which draws are taken. Immutable.
struct Family {
  std::string name;
  std::string summary;
  std::string file;       ///< how messages name it
  std::string directory;  ///< that relative paths in it start from
  std::string sha256;     ///< of the canonical form of all that members depend on
  Acceptance accept;
  std::shared_ptr<const nlohmann::ordered_json> json;
};

/// Reads the family of that name, or at that path. Throws InputError.
Family read_family(const std::string& name_or_path);

/// One draw of a member.
struct DrawnMember {
  Document scenario;  ///< all of it but the baseline, which is an empty object
  Ladder baseline;    ///< how that is found
};

/// Draws member `number`. Throws InputError with what is wrong with the family.
DrawnMember drawn_member(const Family& family, std::uint64_t number, Audience audience,
                         std::uint64_t seed);

/// The scenario of a draw whose baseline is these settings.
Document with_baseline(Document scenario, const std::vector<Assignment>& baseline);

}  // namespace cubicbench::scenarios
