#include "cli/dataset_verb.h"

#include "cli/options/readers.h"
#include "support/input_error.h"

namespace cubicbench::cli {

using support::InputError;

void require_one_name(const DatasetAsked& asked, const std::string& expected) {
  if (asked.names.empty()) throw InputError("dataset", "expected " + expected);
  if (asked.names.size() > 1) throw InputError(asked.names[1], "unexpected argument");
}

void require_csv_out(const DatasetAsked& asked) {
  FileEnding{".csv"}(asked.out.value_or(""), "--out");
}

}  // namespace cubicbench::cli
