#pragma once

#include <cstdint>
#include <vector>

#include "datasets/dataset.h"
#include "scenarios/instance.h"
#include "scenarios/search_space.h"

namespace cubicbench::datasets {

/// One column a parameter of the space: booleans, categories and ordinals whose values are no
/// numbers are categories; numbers stay numbers (log2 where all are above zero and the largest is
/// four times the smallest or more). Every column has a value for "inactive": the category
/// "inactive", the number NaN.
std::vector<Column> columns_of(const scenarios::SearchSpace& space);

/// Writes the cells of a configuration, one a column of columns_of(). Allocates nothing.
void write_cells(const scenarios::SearchSpace& space, std::span<const std::int64_t> configuration,
                 std::span<double> cells);

/// `rows` uniform configurations of the scenario, each launched once on `instance` (with noise; a
/// run-time failure of the infrastructure is launched again). Configurations that run out of memory
/// are jobs too. Physics asks the nominal scenario. Repeats of a configuration may occur in small
/// spaces. A pure function of its arguments; runs on up to `threads` threads.
Dataset sampled_dataset(const scenarios::Scenario& scenario, std::uint64_t instance,
                        std::int64_t rows, std::uint64_t seed, int threads);

}  // namespace cubicbench::datasets
