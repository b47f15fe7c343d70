#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/problem/seal.h"

namespace cubicbench::search {

/// What of a search is checked.
struct VerificationRequest {
  std::filesystem::path folder;
  std::optional<std::int64_t>
      sample{};             ///< so many studies, drawn by a fixed key, are played again
  bool asks_again = false;  ///< searchers inside are asked again for their proposals
  std::shared_ptr<const scenarios::Seal> seal{};
  int threads = 0;
  const std::atomic<bool>* stop = nullptr;
};

/// One place at which a search is not what the simulator answers.
struct VerifiedDifference {
  std::string study;                    ///< "plan.json" and "finished.json" where it is those
  std::optional<std::int64_t> trial{};  ///< nothing where it is no launch
  std::string what;

  bool operator==(const VerifiedDifference&) const = default;
};

struct Verification {
  std::int64_t studies = 0;
  std::int64_t played = 0;                        ///< studies that were played again
  std::int64_t launches = 0;                      ///< lines of all journals
  std::int64_t checked = 0;                       ///< those of the studies that were played
  std::vector<VerifiedDifference> differences{};  ///< one per study at most, in the plan's order
};

/// Plays the studies of a search again and compares all that they left, byte for byte: header,
/// budget, order and count of the lines, outcomes, costs, times, recommendation and truth. As noise
/// and failures are a function of configuration and attempt, proposals are taken from the journal.
/// Where a study ended before its budget, or its searcher states what it recommends, the searcher
/// is asked again, if it is one of ours; of others finished.json says whether they ended by
/// themselves. What finished.json lists, of studies that are not played too, must have its hashes.
///
/// Throws InputError where the folder is no search, another version or truth made it, a salt is
/// missing, or jobs really ran, which nothing can repeat.
Verification verify_search(const VerificationRequest& request);

}  // namespace cubicbench::search
