#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "datasets/exhaustive/branch_and_bound.h"
#include "datasets/exhaustive/enumeration.h"
#include "datasets/exhaustive/valued_range.h"
#include "scenarios/truth/instance.h"

namespace cubicbench::datasets {

/// Everything that is known of an enumeration before a configuration is valued: who is asked, what
/// constraints reject, the baseline's value. Throws InputError, at `where`, if what constraints
/// reject cannot be counted.
Enumeration enumeration_head(const scenarios::Instance& instance, const std::string& truth_sha256,
                             const std::string& where);

/// The largest k of a best of k that may be asked for.
inline constexpr std::int64_t k_limit = 10'000;

/// Those of configurations by their numbers.
std::vector<scenarios::ConfigText> named_settings(const scenarios::SearchSpace& space,
                                                  const std::vector<std::uint64_t>& numbers);

/// `head` with the curves of random search to `launches` launches; without, where the space is
/// empty. `look` is called now and then, by any thread; what it throws ends the work.
Enumeration with_random_search(Enumeration head, const scenarios::Instance& instance,
                               std::int64_t launches, std::size_t studies, int threads,
                               const std::function<void()>& look = {});

/// All values of a space, with the configurations of `best` by name.
struct ValuedSpace {
  ReasonCounts failures{};
  BestFound best;
  std::vector<scenarios::ConfigText> best_configs;
  std::vector<RunSource> values;
};

/// `head` with what `values` say, on up to `threads` threads; best_of_k for k = 1 .. k_max. The
/// values are read once. `look` is called now and then; what it throws ends the work.
Enumeration enumerated(Enumeration head, ValuedSpace values, std::int64_t k_max, int threads,
                       const std::function<void()>& look = {});

/// `head` with what a search by bounds found, and nothing about the other configurations.
Enumeration enumerated_by_bounds(Enumeration head, const scenarios::SearchSpace& space,
                                 const BoundedOptimum& found);

/// Configurations up to which a report values a whole space by itself.
inline constexpr std::uint64_t small_space_max = 100'000;

/// What `enumerate` says of a small space, with best_of_k for k = 1 .. k_max, 10,000 at most.
/// `truth_sha256` is passed through. Requires count() <= small_space_max and k_max >= 1.
Enumeration value_small_space(const scenarios::Instance& instance, const std::string& truth_sha256,
                              std::int64_t k_max);

}  // namespace cubicbench::datasets
