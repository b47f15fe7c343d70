#pragma once

#include "datasets/joined.h"

namespace cubicbench::results {

using datasets::joined;

}  // namespace cubicbench::results
