#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::datasets {

/// One line of a log as its program wrote it: without colours, and without what launchers put
/// before the lines of a rank.
struct LogLine {
  std::size_t number = 1;  ///< in the file, from 1
  std::string text;        ///< without white space at its end
};

/// A log, in lines. `bytes` is the caller's.
struct LogText {
  std::string file;        ///< as messages name it
  std::string_view bytes;  ///< as they are in the file
  std::vector<LogLine> lines;
};

/// Cuts a log into lines. A carriage return ends a line too, as progress bars write over
/// themselves; the number remains that of the file. Left out: escape sequences [ECMA-48, 5.4],
/// zero bytes, and at the start of a line what torchrun (`[rank0]:`, `[default3]:`), srun
/// (`12: `), mpirun (`[1,3]<stdout>:`), Ray (`(Worker pid=7) `), NeMo-Run (`task/0 `) and
/// kubectl (`2025-06-12T10:21:13Z `) write there.
LogText read_log_text(std::string_view bytes, const std::string& file);

}  // namespace cubicbench::datasets
