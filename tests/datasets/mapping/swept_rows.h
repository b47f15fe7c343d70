#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/catalog/measured_table.h"
#include "datasets/mapping/measured_run.h"
#include "datasets/tables/measurement.h"

namespace cubicbench::datasets {

/// The sweep of nanotron that ships.
inline const Measurements& sweep() {
  static const Measurements read =
      find_measurements("hf_ultrascale_nanotron_sweep", "the test's table");
  return read;
}

/// The row of the sweep of that id.
inline Measurement swept_row(const std::string& id) {
  const auto found = std::ranges::find(sweep().rows, id, &Measurement::id);
  EXPECT_NE(found, sweep().rows.end()) << id;
  return found == sweep().rows.end() ? Measurement{} : *found;
}

inline bool assumes(const MeasuredRun& run, const std::string& name) {
  return std::ranges::count(run.assumed, name) == 1;
}

}  // namespace cubicbench::datasets
