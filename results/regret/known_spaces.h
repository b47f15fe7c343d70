#pragma once

#include <optional>
#include <string>
#include <vector>

#include "datasets/exhaustive/enumeration.h"
#include "scenarios/truth/instance.h"
#include "search/finished/study_set.h"

namespace cubicbench::results {

/// The reference that ships for the scenario, of its instance 0; nothing when there is none of it.
std::optional<datasets::Enumeration> shipped_reference(const std::string& scenario,
                                                       const std::string& scenario_sha256);

/// An enumeration that the user named.
struct GivenEnumeration {
  datasets::Enumeration space;
  std::string file;  ///< as it was named
};

using GivenSpaces = std::vector<GivenEnumeration>;

/// What is known of the space that a study searched.
struct KnownSpace {
  /// Of the study's scenario, instance and truth; nothing where there is none, or what there is
  /// says too little to measure regret by.
  std::optional<datasets::Enumeration> space{};
  std::string note{};     ///< where it comes from, or why there is none: sentences
  std::string command{};  ///< that makes what is missing, for --optimum; "" where nothing is
};

/// Where the optimum and the distribution come from, the first that fits: files that the user
/// named; the references that ship (results/reference/); for small spaces, tables of runs among
/// them, every configuration is valued here. What says too little, as a file with bounds alone,
/// hides nothing behind it. What was made for another truth is never used: nothing is shown then,
/// and never an estimate. Requires studies of one scenario and instance.
KnownSpace known_space(const GivenSpaces& given, const search::Studies& studies);

/// The file as commands on a page name it: of an absolute path the last part.
std::string shown_file(const std::string& file);

/// Throws InputError with each file that is of none of the studies' problems, and why.
void require_use(const GivenSpaces& given, const search::StudySet& set);

}  // namespace cubicbench::results
