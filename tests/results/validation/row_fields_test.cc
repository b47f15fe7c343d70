#include "results/validation/row_fields.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "results/document/csv.h"
#include "results/document/terminal.h"

namespace cubicbench::results {
namespace {

TEST(RowFields, CrossoversStandInMebibytesAndInBytes) {
  const std::vector<Crossover> crossovers{{.source = "s",
                                           .system = "a system",
                                           .collective = "all_reduce",
                                           .gpus = 8,
                                           .measured = 2097152.0,
                                           .simulated = std::nullopt}};
  const Table table = table_of<Crossover>(crossovers, crossover_fields());
  EXPECT_EQ(csv_of(table),
            "source,system,collective,n_gpus,measured_bytes,simulated_bytes,factor\n"
            "s,a system,all_reduce,8,2097152,,\n");
  EXPECT_EQ(terminal_text(chosen(table, {"measured_mib", "simulated_mib", "factor"})),
            "measured  simulated\n(MiB)         (MiB)  factor\n2.00              -       -\n");
}

}  // namespace
}  // namespace cubicbench::results
