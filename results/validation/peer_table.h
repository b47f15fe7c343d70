#pragma once

#include "datasets/fits/peer_result.h"
#include "results/validation/validation_tables.h"

namespace cubicbench::results {

/// Our errors on each part and quantity that `peers` speak of, and theirs below. Parts without rows
/// of ours are left out.
ReportTable peer_table(const Validation& validation, const datasets::PeerResults& peers);

}  // namespace cubicbench::results
