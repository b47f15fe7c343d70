#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/problem/trial_outcome.h"
#include "scenarios/space/search_space.h"

namespace cubicbench::search {

/// Launches of one problem that a plan may hold for a warm start.
inline constexpr std::size_t known_launches_max = 20'000;

/// A whole launch of an earlier search that has ended, or a run that was measured.
struct KnownLaunch {
  scenarios::ConfigText config;  ///< of the active parameters
  scenarios::TrialOutcome
      outcome;  ///< without its duration, and with the bytes of its metrics only
};

/// What the searchers of one problem are told before their first proposal. It counts as no trial of
/// their studies.
struct WarmStart {
  std::string scenario;
  std::int64_t instance = 0;  ///< whose launches these are
  std::vector<KnownLaunch> launches;
  std::string sha256;  ///< of the launches as plan.json has them

  /// What journals call it: the first 16 digits of the hash.
  std::string id() const { return sha256.substr(0, 16); }
};

/// The warm starts of a search.
struct WarmStarts {
  std::vector<std::string> from{};  ///< folders and tables, as plan.json names them
  std::vector<std::shared_ptr<const WarmStart>> problems{};

  bool empty() const { return problems.empty(); }

  /// That of the scenario's instance: of its own launches or, where there are none, of those of
  /// instance 0. Null where neither is known.
  std::shared_ptr<const WarmStart> of(std::string_view scenario, std::int64_t instance) const;

  /// Equal launches from equal places.
  bool operator==(const WarmStarts& other) const;
};

}  // namespace cubicbench::search
