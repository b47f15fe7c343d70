#pragma once

#include "search/searchers/registry.h"

namespace cubicbench::search {

/// Uniform random search over the space, constraints included: every order of its configurations is
/// as likely as any other, and each comes once, so a study of k trials is a draw of k without
/// replacement. With option `replacement` every proposal is drawn from all of them anew. Ends,
/// unless with replacement, when the space is exhausted. Ignores what it is told.
SearcherEntry random_searcher();

}  // namespace cubicbench::search
