#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "search/folder/campaign.h"
#include "search/study/warm_start.h"

namespace cubicbench::search {

/// What earlier searches and measured runs tell of scenarios.
struct KnownLaunches {
  WarmStarts warm;
  std::vector<std::string> notes;  ///< a sentence a place: how much of it is told, and why no more
};

/// Reads what `--warm-start` names: folders of searches, and tables of runs or logs, as far as they
/// are of the scenarios, in the order of `places`.
///
/// Of a folder, every trial that has ended whole of a study of a scenario of that name, with its
/// last launch, in the order of the set (StudySet) and then of the journal; of a backend that
/// repeats itself equal attempts are told once. Studies of an instance that is sealed otherwise
/// than by `salt_sha256` say nothing. Of a table, the rows that outcome_of() knows: a row is a
/// configuration by the settings that it states, and with the baseline's values of the others; rows
/// of another model, device or number of GPUs are left out.
///
/// Throws InputError, at the place, for what cannot be read, a folder that judges by another
/// objective, and a place that tells nothing of any scenario.
KnownLaunches read_known_launches(std::span<const std::string> places,
                                  std::span<const scenarios::Scenario> scenarios,
                                  const std::string& salt_sha256);

/// Has the studies of `plan` told what `places` know of its scenarios, in place of what the plan
/// had: where there are none, it keeps that. Returns the notes. Every way to begin a search comes
/// through here. Throws as read_known_launches().
std::vector<std::string> warm_start(SearchPlan& plan, std::span<const std::string> places);

}  // namespace cubicbench::search
