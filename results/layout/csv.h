#pragma once

#include "datasets/csv.h"

namespace cubicbench::results {

using datasets::csv_field;
using datasets::csv_record;

}  // namespace cubicbench::results
