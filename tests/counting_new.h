#pragma once

namespace cubicbench {

/// Calls of operator new so far, in a program that links counting_new.cc.
long allocation_count();

}  // namespace cubicbench
