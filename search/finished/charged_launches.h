#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "search/finished/study_set.h"

namespace cubicbench::search {

/// What was charged after each launch of the study, in whole launches
/// [search/searchers/charge.h]: 1, 2, 3, ... where all are whole.
std::vector<double> charged_after(const StudyResult& study);

/// The budget, launch by launch, as curves of what a study has found have it.
struct ChargedPlace {
  /// Position of the whole launch that ended here, one at most; nothing where all were short.
  std::optional<std::size_t> whole{};
  std::size_t ended = 0;  ///< launches that have ended by then, short ones included
};

/// Place b - 1 holds what ended when more than b - 1 and at most b whole launches were charged:
/// where none is short, launch b.
std::vector<ChargedPlace> charged_places(const StudyResult& study);

}  // namespace cubicbench::search
