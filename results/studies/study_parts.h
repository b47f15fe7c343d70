#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/studies/study_set.h"

namespace cubicbench::results {

/// Parts of a page on searches that every such page has.

/// The studies of one scenario and instance.
using Studies = std::vector<const StudyResult*>;

/// One part of file names a group, all different: the scenario, and the instance where it has
/// several. Characters that file names do not have become '-'.
std::vector<std::string> file_labels(const std::vector<Studies>& groups);

/// What was asked for, as HTML: a table of the studies, and the set's notes.
std::string asked_section(const StudySet& set);

/// How to make the page again, as HTML: the commands, versions and hashes. `more` is HTML that
/// stands at the section's end. The set may have no study.
std::string origin_section(const StudySet& set, const std::vector<Studies>& groups,
                           std::span<const std::string> commands, const std::string& more = {});

}  // namespace cubicbench::results
