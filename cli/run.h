#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "results/document/terminal.h"

namespace cubicbench::cli {

/// The whole program but its process: `args` are the words after its name. What was asked for goes
/// to `out`, or one message to `err` and nothing to `out`. Returns the exit code: 0 done, 1 done
/// and the answer to a question is no (why is said on `err`), 2 bad input, 3 the world failed, 128
/// + N ended in order by signal N.
int run(const std::vector<std::string>& args, std::ostream& out, std::ostream& err,
        const results::Screen& screen = {.ink = results::Ink::plain});

}  // namespace cubicbench::cli
