#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/validation/validated_row.h"

namespace cubicbench::datasets {

/// A timed run of a family that is its own group: throughputs in tokens/s and GPU, and the step
/// times that a step of `tokens` tokens on one GPU has.
inline ValidatedRow timed_row(const std::string& family, double measured, double simulated,
                              double tokens = 1000.0) {
  ValidatedRow row;
  row.id = family + "-" + std::to_string(measured);
  row.source = "a";
  row.file = "a.csv";
  row.family = family;
  row.group = family;
  row.throughput_measured = measured;
  row.throughput_simulated = simulated;
  row.step_time_measured = tokens / measured;
  row.step_time_simulated = tokens / simulated;
  row.rel_error = (*row.step_time_simulated - *row.step_time_measured) / *row.step_time_measured;
  return row;
}

/// A run whose measured and simulated times differ by `rel_error`.
inline ValidatedRow row_with_error(const std::string& source, const std::string& family,
                                   double rel_error) {
  ValidatedRow row;
  row.id = source;
  row.source = source;
  row.file = source + ".csv";
  row.family = family;
  row.group = source + family + std::to_string(rel_error);  // never ranked
  row.step_time_measured = 1.0;
  row.step_time_simulated = 1.0 + rel_error;
  row.throughput_measured = 1.0;
  row.throughput_simulated = 1.0 / (1.0 + rel_error);
  row.rel_error = rel_error;
  return row;
}

/// A run that failed for memory or not, and what the simulator says of its memory.
inline ValidatedRow memory_row(bool failed, double demand, double limit,
                               const std::string& ladder = "", std::int64_t micro_batch = 1) {
  ValidatedRow row;
  row.status_measured = failed ? MeasurementStatus::oom : MeasurementStatus::ok;
  row.status_simulated = demand > limit ? sim::StepStatus::oom_late : sim::StepStatus::ok;
  row.memory.demand = demand;
  row.memory.limit = limit;
  row.ladder = ladder;
  row.micro_batch = micro_batch;
  return row;
}

inline ValidatedRow skipped_row(const std::string& id, const std::string& source,
                                const std::string& reason, const std::string& family = "x") {
  ValidatedRow row;
  row.id = id;
  row.source = source;
  row.reason = reason;
  row.family = family;
  return row;
}

}  // namespace cubicbench::datasets
