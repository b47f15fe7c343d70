#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "datasets/landscape/landscape.h"
#include "results/document/document.h"
#include "results/studies/study_commands.h"

namespace cubicbench::results {

/// A landscape and how its scenario was asked for.
struct AskedLandscape : datasets::ScenarioLandscape {
  AskedProblem asked;
};

/// What `landscape` says of each of them, after a table of all where there are several. A page has
/// the answer and the values first, then the figures, and `command`, which makes it again ("": left
/// out).
Document landscape_document(std::span<const AskedLandscape> landscapes,
                            const std::string& command = "");

/// One entry of the list "landscapes" of the document that `landscape --json` prints
/// (docs/landscape.md).
nlohmann::ordered_json landscape_json(const AskedLandscape& of);

}  // namespace cubicbench::results
