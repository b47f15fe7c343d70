#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "datasets/exhaustive/enumeration.h"
#include "results/studies/study_set.h"
#include "scenarios/truth/instance.h"

namespace cubicbench::results {

/// An enumeration that the user named.
struct GivenEnumeration {
  datasets::Enumeration space;
  std::string file;  ///< as it was named
};

/// What is known of the space that a study searched.
struct KnownSpace {
  /// Of the study's scenario, instance and truth; null when there is none, or what there is says
  /// too little to measure regret by.
  std::shared_ptr<const datasets::Enumeration> space;
  std::string note;     ///< where it comes from, or why there is none: sentences
  std::string command;  ///< that makes what is missing, for --optimum; "" where nothing is
};

/// Where optima and distributions come from, the first that fits: files that the user named; the
/// references that ship (results/reference/); for small spaces, tables of runs among them, every
/// configuration is valued here, once. What says too little, as a file with bounds alone, hides
/// nothing behind it. What was made for another truth is never used: nothing is shown
/// then, and never an estimate. One thread at a time may ask.
class KnownSpaces {
 public:
  KnownSpaces() = default;
  explicit KnownSpaces(std::vector<GivenEnumeration> given) : given_(std::move(given)) {}

  /// Of the studies' scenario and instance. Requires studies of one scenario and instance.
  KnownSpace of(const Studies& studies) const;

  /// The files that the user named, as commands on a page name them: of an absolute path the last
  /// part.
  std::vector<std::string> files() const;

  /// Throws InputError with each file that is of none of the studies' problems, and why.
  void require_use(const StudySet& set) const;

 private:
  using Spaces = std::map<std::tuple<std::string, std::int64_t, std::string, std::int64_t>,
                          std::shared_ptr<const datasets::Enumeration>>;

  KnownSpace without_files(const Studies& studies) const;

  /// Of the library's scenario, which is the one that was searched.
  KnownSpace valued_here(const scenarios::Scenario& scenario, const Studies& studies,
                         const std::string& why_no_reference) const;

  std::vector<GivenEnumeration> given_;
  mutable Spaces valued_;  ///< here, by scenario_sha256, instance, truth_sha256 and launches
};

/// Configurations up to which a report values a whole space by itself.
inline constexpr std::uint64_t small_space_max = 100'000;

/// What `enumerate` says of a small space, with best_of_k for k = 1 .. k_max, 10,000 at most.
/// `truth_sha256` is passed through. Requires count() <= small_space_max and k_max >= 1.
datasets::Enumeration value_small_space(const scenarios::Instance& instance,
                                        const std::string& truth_sha256, std::int64_t k_max);

}  // namespace cubicbench::results
