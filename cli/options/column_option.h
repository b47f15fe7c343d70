#pragma once

#include <string>
#include <vector>

#include "cli/options/options.h"
#include "datasets/logs/given_columns.h"

namespace cubicbench::cli {

/// --column NAME=VALUE: what logs do not state. Read before the files that it is for.
Option& declare_columns(Options& options, std::vector<datasets::GivenColumn>& columns);

/// Throws InputError where columns are given and none of `names` is a log.
void require_log(const std::vector<datasets::GivenColumn>& columns,
                 const std::vector<std::string>& names);

/// " --column NAME=VALUE" of each, as the command line has them.
std::string column_words(const std::vector<datasets::GivenColumn>& columns);

}  // namespace cubicbench::cli
