#include "datasets/logs/megatron_record.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "datasets/logs/log_fields.h"
#include "sim/base/binary_sizes.h"

namespace cubicbench::datasets {
namespace {

constexpr double mib_per_gib = 1024.0;
constexpr double gib_per_gigabyte = 1e9 / sim::bytes_per_gib;

/// Columns that say nothing of time, memory or layout.
bool is_passed_over(std::string_view name) {
  constexpr std::array<std::string_view, 16> known{"consumed samples",
                                                   "consumed tokens",
                                                   "skipped samples",
                                                   "loss scale",
                                                   "num zeros",
                                                   "number of skipped iterations",
                                                   "number of nan iterations",
                                                   "actual seqlen",
                                                   "energy per GPU (J/iter/GPU)",
                                                   "power per GPU (W/GPU)",
                                                   "approx flops per GPU",
                                                   "global batch size",
                                                   "curriculum seqlen",
                                                   "mem usages",
                                                   "total train time(s)",
                                                   "random ltd reserved length"};
  if (std::ranges::find(known, name) != known.end()) return true;
  return name.ends_with("loss") || name.ends_with("norm") || name.starts_with("learning rate") ||
         name.starts_with("lr") || name.starts_with("lm loss ") ||
         name.starts_with("loss scale ") || name.starts_with("hip mem") ||
         name.starts_with("rocm ") || name.starts_with("episode") ||
         name.starts_with("decoupled learning rate");
}

bool is_rate(std::string_view name) {
  constexpr std::array<std::string_view, 9> rates{"throughput per GPU (TFLOP/s/GPU)",
                                                  "compute per GPU (TFLOP/s/GPU)",
                                                  "tokens per GPU (tokens/s/GPU)",
                                                  "tokens/s/GPU inst/harmonic mean",
                                                  "TFLOPs",
                                                  "samples per second",
                                                  "samples/sec",
                                                  "tokens per gpu per second (tgs)",
                                                  "model TFLOPs"};
  return std::ranges::find(rates, name) != rates.end();
}

/// The number of this step: "9640.7" of "9640.7/9629.8" and "496.3" of "496.3 (avg 496.1)".
std::string_view of_this_step(std::string_view value) {
  value = value.substr(0, value.find('/'));
  return first_word(value);
}

/// One record and what has been read of it.
class OneRecord {
 public:
  OneRecord(std::string_view text, std::size_t line, LogRecorder& out)
      : text_(text), line_(line), out_(out), fields_(fields_of(text, "|", ": ")) {}

  MegatronRecord read() {
    const auto elapsed = std::ranges::find_if(fields_, [](const LogField& field) {
      return field.name.starts_with("elapsed time per iteration (");
    });
    const auto number = after(text_, "iteration ");
    if (elapsed == fields_.end() || !number) return MegatronRecord::none;
    if (!text_.ends_with('|')) {
      // The record's last bar was never written.
      out_.not_understood(line_, "a record that was cut off");
      return kind();
    }
    read_step(*elapsed, *number);
    name_others();
    return kind();
  }

 private:
  void read_step(const LogField& elapsed, std::string_view number) {
    const bool is_ms = elapsed.name.ends_with("(ms)");
    if (!is_ms && !elapsed.name.ends_with("(s)")) {
      out_.not_understood(line_, "the unit of " + support::shortened(elapsed.name));
      return;
    }
    const double unit = is_ms ? 1e-3 : 1.0;
    const std::string_view text = of_this_step(elapsed.value);
    const auto time = out_.number(text, elapsed.name, line_, step_seconds_max / unit);
    const auto iteration = out_.count(leading_count(number), "iteration", line_, 0);
    if (!time || !iteration) return;
    LoggedStep step{.line = line_, .number = *iteration};
    step.seconds = *time * unit;
    step.rounding = rounding_of(text);
    if (const auto batch = value_of(fields_, "global batch size")) {
      step.batch = static_cast<double>(out_.count(*batch, "global batch size", line_).value_or(0));
    }
    for (const LogField& field : fields_) {
      if (is_rate(field.name)) out_.rate(step, field.name, of_this_step(field.value));
      if (field.name.starts_with("hip mem usage")) read_hip_memory(field.value);
    }
    out_.step(std::move(step));
  }

  /// `117.99GB/74.00GB/191.98GB/61.46%`: used, free, all, in units of 2^30 bytes, of the device.
  void read_hip_memory(std::string_view value) {
    std::vector<double> gib;
    for (const LogField& part : fields_of(value, "/", ":")) {
      const std::size_t unit = part.name.find("GB");
      if (unit == std::string_view::npos) continue;
      const auto number =
          out_.number_or_zero(part.name.substr(0, unit), "hip mem usage", line_, memory_gib_max);
      if (!number) return;
      gib.push_back(*number);
    }
    constexpr double rounding = 0.02;
    const bool adds_up = gib.size() == 3 && std::abs(gib[0] + gib[1] - gib[2]) <= rounding;
    if (!adds_up) {
      out_.problem(line_, "expected hip mem usage whose used and free are its total, got \"" +
                              support::shortened(value) + "\"");
    } else if (gib[0] > 0.0) {
      out_.peak(gib[0], "device", line_);
    }
  }

  void name_others() {
    for (const LogField& field : fields_) {
      const bool is_first =
          contains(field.name, "iteration ") || contains(field.value, "iteration ");
      const bool is_known = is_first || field.name.starts_with("elapsed time per iteration (") ||
                            is_rate(field.name) || is_passed_over(field.name);
      if (!is_known) out_.not_understood(line_, "the column " + support::shortened(field.name));
    }
  }

  bool has(std::string_view name) const { return value_of(fields_, name).has_value(); }

  MegatronRecord kind() const {
    const bool has_new_names =
        has("compute per GPU (TFLOP/s/GPU)") || has("tokens/s/GPU inst/harmonic mean");
    if (has_new_names) return MegatronRecord::primus_2026;
    const auto throughput = value_of(fields_, "throughput per GPU (TFLOP/s/GPU)");
    if (throughput && contains(*throughput, "/")) return MegatronRecord::primus_2025;
    if (throughput) return MegatronRecord::throughput;
    if (has("samples/sec")) return MegatronRecord::neox;
    if (has("samples per second")) return MegatronRecord::deepspeed;
    return has("consumed samples") ? MegatronRecord::plain_2021 : MegatronRecord::plain_2020;
  }

  std::string_view text_;
  std::size_t line_;
  LogRecorder& out_;
  std::vector<LogField> fields_;
};

/// The peaks of one rank, in GiB; zero where the line does not state one.
struct RankMemory {
  double allocated = 0.0, allocated_max = 0.0, reserved_max = 0.0;
};

void state_memory(const RankMemory& memory, std::size_t line, LogRecorder& out) {
  constexpr double slack = 1.001;  // numbers are rounded
  const double top = memory.reserved_max > 0.0 ? memory.reserved_max : memory_gib_max;
  if (memory.allocated > memory.allocated_max * slack || memory.allocated_max > top * slack) {
    out.problem(line, "expected allocated <= max allocated <= max reserved, got " +
                          std::to_string(memory.allocated) + ", " +
                          std::to_string(memory.allocated_max) + ", " +
                          std::to_string(memory.reserved_max) + " GiB");
    return;
  }
  if (memory.allocated_max > 0.0) out.peak(memory.allocated_max, "allocated", line);
}

void read_rank_memory(std::string_view text, double unit, std::size_t line, LogRecorder& out) {
  RankMemory memory;
  bool is_whole = true;
  for (const LogField& field : fields_of(text, "|", ":")) {
    const auto read = [&](std::string_view one, std::string_view other, double& into) {
      if (field.name != one && field.name != other) return;
      const auto value =
          out.number_or_zero(first_word(field.value), field.name, line, memory_gib_max / unit);
      is_whole = is_whole && value.has_value();
      into = value.value_or(0.0) * unit;
    };
    read("allocated", "mem-allocated-gigabytes", memory.allocated);
    read("max allocated", "mem-max-allocated-gigabytes", memory.allocated_max);
    read("max reserved", "mem-max-reserved-gigabytes", memory.reserved_max);
  }
  if (is_whole) state_memory(memory, line, out);
}

}  // namespace

MegatronRecord read_megatron_record(std::string_view text, std::size_t line, LogRecorder& out) {
  if (!contains(text, "elapsed time per iteration (")) return MegatronRecord::none;
  return OneRecord(text, line, out).read();
}

bool read_megatron_memory(std::string_view text, std::size_t line, LogRecorder& out) {
  constexpr std::string_view megabytes = "memory (MB)";
  constexpr std::string_view gigabytes = "mem-max-allocated-gigabytes";
  if (!contains(text, megabytes) && !contains(text, gigabytes)) return false;
  while (!text.empty()) {
    const std::size_t next = std::min(text.find("[Rank ", 1), text.size());
    const std::string_view piece = text.substr(0, next);
    if (const auto rest = after(piece, megabytes)) {
      read_rank_memory(*rest, 1.0 / mib_per_gib, line, out);
    } else if (contains(piece, gigabytes)) {
      const std::size_t first = std::min(piece.find("mem-"), piece.size());
      read_rank_memory(piece.substr(first), gib_per_gigabyte, line, out);
    }
    text.remove_prefix(next);
  }
  return true;
}

bool is_megatron_pause(std::string_view text) {
  constexpr std::array<std::string_view, 5> words{"validation loss at", "Evaluating on",
                                                  "Evaluating iter", "saving checkpoint",
                                                  "saved checkpoint"};
  return std::ranges::any_of(words, [&](std::string_view word) { return contains(text, word); });
}

bool says_out_of_memory(std::string_view text) {
  return contains(text, "OutOfMemoryError") || contains(text, "CUDA out of memory") ||
         contains(text, "HIP out of memory") || contains(text, "RESOURCE_EXHAUSTED: Out of memory");
}

}  // namespace cubicbench::datasets
