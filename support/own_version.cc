#include "support/own_version.h"

#include "support/input_error.h"

namespace cubicbench::support {

std::string own_version() { return CUBICBENCH_VERSION; }

std::string other_version(std::string_view found) {
  return "expected " + own_version() + ", the version of this program, got \"" + shortened(found) +
         "\"";
}

}  // namespace cubicbench::support
