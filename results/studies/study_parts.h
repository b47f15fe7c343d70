#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/document/document.h"
#include "search/finished/study_set.h"

namespace cubicbench::results {

/// Parts of a document on searches that every such document has.

/// One part of file names per group, all different: the scenario, and the instance where it has
/// several. Characters that file names do not have become '-'.
std::vector<std::string> file_labels(const std::vector<search::Studies>& groups);

/// What was asked for: a table of the studies, and the set's notes.
void add_asked(const search::StudySet& set, Document& document);

/// How to make the document again: the commands, versions and hashes. The set may have no study.
void add_origin(const search::StudySet& set, std::span<const std::string> commands,
                Document& document);

}  // namespace cubicbench::results
