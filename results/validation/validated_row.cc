#include "results/validation/validated_row.h"

namespace cubicbench::results {

bool is_hung(const ValidatedRow& row) {
  if (row.kind == RowKind::collective) return false;
  return row.step_time_measured && row.step_time_simulated &&
         *row.step_time_measured > hung_ratio * *row.step_time_simulated;
}

}  // namespace cubicbench::results
