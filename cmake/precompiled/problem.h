// What most sources to the right of `sim` and `support` include of ours: what a problem is, and the
// truth behind it.
#pragma once

#include "scenarios/truth/instance.h"
#include "standard.h"
#include "support/input_error.h"
