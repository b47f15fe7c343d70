// DeepSpeed: `epoch=0/micro_step=34/global_step=34, RunningAvgSamplesPerSec=..,
// CurrSamplesPerSec=.., MemAllocated=..GB, MaxMemAllocated=..GB`, older forms of it, and the
// pipeline engine's `steps: 10 loss: .. iter time (s): .. samples/sec: ..`
// (github.com/deepspeedai/DeepSpeed, utils/timer.py and runtime/pipe/engine.py). Its GB are 2^30
// bytes.
#include <algorithm>
#include <array>

#include "datasets/logs/deepspeed_settings.h"
#include "datasets/logs/log_fields.h"
#include "datasets/logs/log_formats.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

constexpr std::array<std::string_view, 4> deepspeed_versions{"2020-average", "2022-current",
                                                             "2023-global-step", "pipeline"};
constexpr std::string_view iteration_time = "iter time (s): ";

bool is_throughput(std::string_view text) { return contains(text, "SamplesPerSec="); }
bool is_pipeline(std::string_view text) {
  return contains(text, iteration_time) && contains(text, "samples/sec: ");
}

bool is_deepspeed_log(const LogText& log) {
  return std::ranges::any_of(log.lines, [](const LogLine& line) {
    return is_throughput(line.text) || is_pipeline(line.text) ||
           contains(line.text, "[config.py:") || contains(line.text, "DeepSpeed info: version");
  });
}

class DeepspeedReader {
 public:
  DeepspeedReader(const LogText& log, LogRecorder& out) : log_(log), out_(out) {}

  void read() {
    read_settings();
    for (const LogLine& line : log_.lines) {
      if (is_pipeline(line.text)) read_pipeline(line.text, line.number);
      if (is_throughput(line.text)) read_throughput(line.text, line.number);
      if (const auto topology = after(line.text, "Using topology: ")) {
        read_topology(*topology, line.number);
      }
      if (contains(line.text, "Saving model checkpoint") ||
          contains(line.text, "Saving universal checkpoint") ||
          contains(line.text, "[Torch] Saving")) {
        out_.pause(line.number);
      }
    }
    settle();
  }

 private:
  void read_settings() {
    LogSettings settings = dotted_settings(log_, DottedBy::deepspeed);
    std::ranges::copy(indented_settings(log_), std::back_inserter(settings));
    state_deepspeed_settings(settings, out_);
  }

  /// `steps: 10 loss: 9.2134 iter time (s): 1.234 samples/sec: 25.932`: the mean since the last.
  void read_pipeline(std::string_view text, std::size_t line) {
    const auto number = after(text, "steps: ");
    const auto time = after(text, iteration_time);
    if (!number) {
      out_.not_understood(line, "a record without its step");
      return;
    }
    const std::string_view digits = first_word(*time);
    const auto seconds = out_.number(digits, "iter time (s)", line, step_seconds_max);
    const auto count = out_.count(leading_count(*number), "steps", line, 0);
    if (!seconds || !count) return;
    LoggedStep step{.line = line, .number = *count, .seconds = *seconds};
    step.rounding = rounding_of(digits);
    std::string_view rate = first_word(after(text, "samples/sec: ").value_or(""));
    rate = rate.substr(0, rate.find(','));
    out_.rate(step, "samples/sec", rate);
    by_pipeline_.push_back(std::move(step));
  }

  void read_throughput(std::string_view text, std::size_t line) {
    const std::vector<LogField> fields = fields_of(text, ", ", "=");
    const auto step_number = number_of(text, line);
    for (const LogField& field : fields) {
      if (field.name == "MaxMemAllocated") read_memory(field.value, line);
      constexpr std::array<std::string_view, 5> known{"RunningAvgSamplesPerSec",
                                                      "CurrSamplesPerSec", "SamplesPerSec",
                                                      "MemAllocated", "MaxMemAllocated"};
      const bool is_head = contains(text.substr(0, text.find("SamplesPerSec")), field.name);
      if (!is_head && std::ranges::find(known, field.name) == known.end()) {
        out_.not_understood(line, "the field " + support::shortened(field.name));
      }
    }
    if (!step_number) return;
    const auto current = value_of(fields, "CurrSamplesPerSec");
    const auto average = value_of(fields, "SamplesPerSec");
    if (current) {
      add_current(*step_number, *current, line);
    } else if (average) {
      add_average(*step_number, *average, line);
    }
    const bool is_new = contains(text, "global_step=");
    version_ = std::max<std::size_t>(version_, is_new ? 2 : current ? 1 : 0);
  }

  /// The step of `epoch=0/micro_step=34/global_step=34,` and of `0/40,`.
  std::optional<std::int64_t> number_of(std::string_view text, std::size_t line) {
    if (const auto rest = after(text, "global_step=")) {
      return out_.count(leading_count(*rest), "global_step", line, 0);
    }
    const std::string_view head = trimmed(text.substr(0, text.find(',')));
    const std::size_t slash = text.substr(0, text.find("SamplesPerSec")).rfind('/');
    if (head.empty() || slash == std::string_view::npos) return std::nullopt;
    return out_.count(leading_count(text.substr(slash + 1)), "step", line, 0);
  }

  void add_current(std::int64_t number, std::string_view text, std::size_t line) {
    const auto rate = out_.number(text, "CurrSamplesPerSec", line, rate_max);
    if (!rate) return;
    LoggedStep step{.line = line, .number = number};
    step.samples_per_s = *rate;
    step.rounding = rounding_of(text);
    by_rate_.push_back(std::move(step));
  }

  /// The mean of all steps from the third on: the difference to the record before is of the steps
  /// between. T(n) = (n - 2) / rate, in batches.
  void add_average(std::int64_t number, std::string_view text, std::size_t line) {
    const auto rate = out_.number(text, "SamplesPerSec", line, rate_max);
    if (!rate) return;
    constexpr double not_timed = 2.0;
    const double counted = static_cast<double>(number) - not_timed;
    const double time = counted / *rate;
    LoggedStep step{.line = line, .number = number};
    const bool follows = counted > counted_ && counted_ > 0.0 && time > time_;
    step.samples_per_s = follows ? (counted - counted_) / (time - time_) : *rate;
    step.rounding = rounding_of(text);
    counted_ = counted;
    time_ = time;
    by_rate_.push_back(std::move(step));
  }

  void read_memory(std::string_view text, std::size_t line) {
    const std::size_t unit = text.find("GB");
    if (unit == std::string_view::npos) {
      out_.problem(line,
                   "expected MaxMemAllocated in GB, got \"" + support::shortened(text) + "\"");
      return;
    }
    const auto gib =
        out_.number_or_zero(text.substr(0, unit), "MaxMemAllocated", line, memory_gib_max);
    if (gib && *gib > 0.0) out_.growing_peak(*gib, "allocated", line);
  }

  /// `{ProcessCoord(pipe=0, data=0, model=0): 0, ..}`: the largest coordinate of each axis.
  void read_topology(std::string_view text, std::size_t line) {
    constexpr std::array<SettingColumn, 3> axes{
        {{"pipe=", "pp"}, {"data=", "dp"}, {"model=", "tp"}}};
    for (const SettingColumn& axis : axes) {
      std::int64_t size = 0;
      std::string_view rest = text;
      while (const auto found = after(rest, axis.name)) {
        rest = *found;
        const std::string_view coordinate = rest.substr(0, rest.find_first_of(",)"));
        const auto at = support::parsed<std::int64_t>(coordinate);
        if (!at || *at < 0 || *at >= 1'000'000) {
          out_.problem(line, "expected a coordinate of a process, got \"" +
                                 support::shortened(coordinate) + "\"");
          return;
        }
        size = std::max(size, *at + 1);
      }
      if (size > 0) out_.cell(axis.column, size, "topology", line);
      has_topology_ = true;
    }
  }

  void settle() {
    const bool has_pipeline = !by_pipeline_.empty();
    out_.run().steps = has_pipeline ? std::move(by_pipeline_) : std::move(by_rate_);
    out_.version(deepspeed_versions[has_pipeline ? 3 : version_]);
    if (out_.find("dp") == nullptr) return;
    if (!has_topology_ && !has_pipeline) {
      // Without a topology of its own, DeepSpeed has replicas alone.
      for (const char* const axis : {"tp", "pp"}) out_.cell(axis, 1, "no topology", 0);
    }
  }

  const LogText& log_;
  LogRecorder& out_;
  std::size_t version_ = 0;
  std::vector<LoggedStep> by_rate_, by_pipeline_;
  double counted_ = 0.0, time_ = 0.0;
  bool has_topology_ = false;
};

void read_deepspeed_log(const LogText& log, LogRecorder& out) {
  DeepspeedReader(log, out).read();
  out.cell("framework", "DeepSpeed", "the log", 0);
}

}  // namespace

LogFormat deepspeed_format() {
  return {.name = "deepspeed",
          .versions = deepspeed_versions,
          .recognises = is_deepspeed_log,
          .read = read_deepspeed_log};
}

}  // namespace cubicbench::datasets
