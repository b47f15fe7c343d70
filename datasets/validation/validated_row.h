#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/tables/collective_measurement.h"
#include "datasets/tables/measurement.h"
#include "datasets/tables/recommendation_measurement.h"
#include "sim/engine/step_report.h"

namespace cubicbench::datasets {

enum class RowKind { run, collective, recommendation };

/// Measured and simulated device memory, GiB, of the kind and the rank that the source logs.
struct ValidatedMemory {
  bool judged = true;  ///< the stack says what the software keeps; else nothing else is known here
  std::optional<double> peak_measured, peak_simulated;
  std::string kind;  ///< reserved, allocated or device
  std::string rank;  ///< first, last, or "" for the largest stage
  std::optional<double> static_measured, static_simulated;
  /// Of the stage that needs most: the verdict is demand > limit.
  std::optional<double> demand, limit;
};

/// One measured row beside what the simulator says of it [docs/reference/json-documents.md].
struct ValidatedRow {
  RowKind kind = RowKind::run;
  std::string id{};
  std::string reason{};  ///< why it cannot be simulated, then little else is known; "" if it can
  std::string source{};  ///< stem of its file: the key of Validation::sources
  std::string file{};    ///< name of its file, without folders
  /// Of collectives the system, of recommendation results the accelerator and count.
  std::string family{};
  std::string group{};               ///< rows that may be ranked against each other
  std::vector<std::string> parts{};  ///< names of the parts it belongs to
  std::optional<std::int64_t> n_experts{};
  MeasurementStatus status_measured = MeasurementStatus::ok;
  sim::StepStatus status_simulated = sim::StepStatus::ok;
  /// Of a collective the operation; nothing for rows that are not timed (out of memory, early_pp).
  std::optional<double> step_time_measured{}, step_time_simulated{};  ///< s
  /// Tokens a second and GPU; samples a second of a recommendation result; bytes a second of a
  /// collective.
  std::optional<double> throughput_measured{}, throughput_simulated{};
  std::optional<double> rel_error{};  ///< (simulated - measured) / measured step time
  std::array<sim::Seconds, sim::step_part_count> breakdown{};  ///< of the simulated step
  ValidatedMemory memory{};
  std::string ladder{};  ///< equal in all but the micro-batch; "" for none
  std::int64_t micro_batch = 0;
  std::vector<std::string> assumed{};
  // collectives only
  std::string system{}, collective{};
  std::int64_t gpus = 0;
  double size_bytes = 0.0;
};

/// Why a row is not wanted, in the order in which it is asked.
enum class Exclusion {
  none,
  requirement,
  other,
  flag,
  untuned,
  duplicate,
  unnamed,  ///< collectives of a GPU that nobody names, and exchanges of experts
};

/// How many rows are not wanted, by reason.
struct ExcludedRows {
  std::array<std::int64_t, 7> rows{};

  std::int64_t& operator[](Exclusion why) { return rows[static_cast<std::size_t>(why)]; }
  std::int64_t operator[](Exclusion why) const { return rows[static_cast<std::size_t>(why)]; }
};

/// Every row of every table in one of three lists, in the order of the files.
struct Validation {
  std::vector<ValidatedRow> rows;
  std::vector<ValidatedRow> skipped;  ///< wanted, but with a reason
  ExcludedRows excluded;
};

using RowPointers = std::vector<const ValidatedRow*>;
using RowSpan = std::span<const ValidatedRow* const>;

RowPointers all_rows(const std::vector<ValidatedRow>& rows);
/// Those of `rows` that `is` holds for.
RowPointers rows_where(RowSpan rows, bool (*is)(const ValidatedRow&));
/// `value` of those of `rows` that have one.
std::vector<double> values_of(RowSpan rows, std::optional<double> (*value)(const ValidatedRow&));

/// Rows that share a text, and rows by their texts in the order in which these first appear;
/// those whose text is "" are left out.
struct NamedRows {
  std::string name;
  RowPointers rows;
};
std::vector<NamedRows> rows_by(RowSpan rows,
                               const std::function<std::string(const ValidatedRow&)>& text);

// What figures and tables say of one row: nothing where it is not timed, or has no peak.

/// Simulated over measured step time: 1 is right, below 1 the simulator is too fast.
std::optional<double> time_ratio(const ValidatedRow& row);
/// How far off the simulated step time is, either way: 2 is twice or half the measured one.
std::optional<double> time_factor(const ValidatedRow& row);
/// |simulated - measured| / measured step time.
std::optional<double> time_error(const ValidatedRow& row);
/// |simulated - measured| / measured memory. What a run that ran out of it logged is where it
/// stopped, not what it needs.
std::optional<double> peak_error(const ValidatedRow& row);
std::optional<double> static_error(const ValidatedRow& row);

bool is_collective(const ValidatedRow& row);
/// A training run or a recommendation result.
bool is_run(const ValidatedRow& row);

/// A run that ran out of memory, and one that is simulated to.
bool failed(const ValidatedRow& row);
bool fails_simulated(const ValidatedRow& row);

/// A run that took more than three times as long as the model has it: hung or starved, on a slow
/// network, or the model is that far off; nothing tells which. It is counted in every figure and
/// named apart. A collective is none of these.
inline constexpr double hung_ratio = 3.0;
bool is_hung(const ValidatedRow& row);

/// Rows that may be ranked against each other: of a family, with equal model, device, GPU count,
/// sequence and precision.
std::string group_of(const Measurement& row);
/// Family, model and precision.
std::string group_of(const RecommendationMeasurement& row);
/// System, collective and GPU count: one measurement, whose sizes are its points.
std::string group_of(const CollectiveMeasurement& row);

/// Accelerator and count: "A100-40GB/8".
std::string family_of(const RecommendationMeasurement& row);

/// Rows of one layout, equal in all but the micro-batch, and the accumulation and batch that follow
/// from it. "" where the row has no micro-batch.
std::string ladder_of(const Measurement& row);

}  // namespace cubicbench::datasets
