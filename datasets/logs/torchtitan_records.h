#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/logs/log_recorder.h"
#include "datasets/logs/log_text.h"

namespace cubicbench::datasets {

/// Forms of torchtitan's records that are told apart, oldest first.
std::span<const std::string_view> torchtitan_versions();

/// The part of a line from `step:` on; nothing where it is no record.
std::optional<std::string_view> torchtitan_record(std::string_view line);

/// What torchtitan's records say: speed, memory and time of each step.
class TorchtitanRecords {
 public:
  explicit TorchtitanRecords(LogRecorder& out) : out_(out) {}

  /// `record` is torchtitan_record() of the line.
  void read(std::string_view record, const LogLine& line);

  /// `NVIDIA H100 80GB HBM3 with 79.10GiB memory`.
  void read_device(std::string_view text, std::size_t line);

  /// Where the log does not say how many tokens a step has, its clock says how long it takes: the
  /// time since the record before, over the steps between. To be called once everything is read.
  void settle_clock();

  /// One of torchtitan_versions().
  std::string_view version() const;

 private:
  void read_fields(std::string_view text, std::size_t line);
  void note_version(bool is_old, bool has_tflops, bool has_norm);
  /// `12.34GiB(15.60%)`: the largest reserved since the last record.
  void read_memory(std::optional<std::string_view> text, std::size_t line);

  LogRecorder& out_;
  std::size_t version_ = 0;
  std::optional<double> capacity_gib_;
  std::string capacity_text_;
  std::optional<double> clock_;                ///< of the record that is read
  std::vector<std::optional<double>> clocks_;  ///< of all records
};

}  // namespace cubicbench::datasets
