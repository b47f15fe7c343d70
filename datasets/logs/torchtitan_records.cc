#include "datasets/logs/torchtitan_records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "datasets/logs/log_fields.h"
#include "datasets/logs/logged_device.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

constexpr std::array<std::string_view, 4> step_line_versions{"2024-wps", "2024-tps", "2025-tflops",
                                                             "2025-grad-norm"};

bool is_known_field(std::string_view name) {
  constexpr std::array<std::string_view, 9> known{"step", "loss",   "grad_norm", "memory", "tps",
                                                  "wps",  "tflops", "mfu",       "lr"};
  return std::ranges::find(known, name) != known.end();
}

/// Seconds of the day in `2025-06-12 10:21:13,345 - root`; nothing where no such time is there.
std::optional<double> clock_of(std::string_view text) {
  constexpr std::size_t bytes = 12;  // of 10:21:13,345
  const std::size_t end = text.find(" - ");
  if (end == std::string_view::npos || end < bytes) return std::nullopt;
  const std::string_view clock = text.substr(end - bytes, bytes);
  if (clock[2] != ':' || clock[5] != ':' || clock[8] != ',') return std::nullopt;
  const auto hours = support::parsed<unsigned>(clock.substr(0, 2));
  const auto minutes = support::parsed<unsigned>(clock.substr(3, 2));
  const auto seconds = support::parsed<unsigned>(clock.substr(6, 2));
  const auto milliseconds = support::parsed<unsigned>(clock.substr(9, 3));
  if (!hours || !minutes || !seconds || !milliseconds) return std::nullopt;
  return 3600.0 * *hours + 60.0 * *minutes + *seconds + 1e-3 * *milliseconds;
}

}  // namespace

std::span<const std::string_view> torchtitan_versions() { return step_line_versions; }

std::optional<std::string_view> torchtitan_record(std::string_view line) {
  const std::size_t at = line.find("step:");
  if (at == std::string_view::npos) return std::nullopt;
  if (line.substr(0, at).ends_with("validate ")) return std::nullopt;
  const std::string_view record = line.substr(at);
  const bool has_speed = contains(record, " tps:") || contains(record, " wps:");
  return has_speed && contains(record, " loss:") ? std::optional(record) : std::nullopt;
}

void TorchtitanRecords::read(std::string_view record, const LogLine& line) {
  clock_ = clock_of(line.text);
  read_fields(record, line.number);
}

std::string_view TorchtitanRecords::version() const { return step_line_versions[version_]; }

void TorchtitanRecords::read_fields(std::string_view text, std::size_t line) {
  const std::vector<LogField> fields = spaced_fields(text);
  const auto number = out_.count(value_of(fields, "step").value_or(""), "step", line, 0);
  const bool is_old = !value_of(fields, "tps");
  const std::string_view speed = value_of(fields, is_old ? "wps" : "tps").value_or("");
  const auto tokens = out_.number(speed, is_old ? "wps" : "tps", line, 1e9);
  read_memory(value_of(fields, "memory"), line);
  for (const LogField& field : fields) {
    if (!is_known_field(field.name)) {
      out_.not_understood(line, "the field " + support::shortened(field.name));
    }
  }
  if (!number || !tokens) return;
  LoggedStep step{.line = line, .number = *number};
  step.tokens_per_s_per_gpu = *tokens;
  step.rounding = rounding_of(speed);
  if (const auto tflops = value_of(fields, "tflops")) out_.rate(step, "tflops", *tflops);
  if (auto mfu = value_of(fields, "mfu")) {
    out_.rate(step, "mfu", mfu->substr(0, mfu->find('%')));
  }
  out_.step(std::move(step));
  clocks_.push_back(clock_);
  note_version(is_old, value_of(fields, "tflops").has_value(),
               value_of(fields, "grad_norm").has_value());
}

void TorchtitanRecords::note_version(bool is_old, bool has_tflops, bool has_norm) {
  const std::size_t now = is_old ? 0 : has_norm ? 3 : has_tflops ? 2 : 1;
  version_ = std::max(version_, now);
}

void TorchtitanRecords::read_memory(std::optional<std::string_view> text, std::size_t line) {
  if (!text) return;
  const std::size_t unit = text->find("GiB");
  const auto gib = out_.number_or_zero(text->substr(0, unit), "memory", line, memory_gib_max);
  if (unit == std::string_view::npos) {
    out_.problem(line, "expected memory in GiB, got \"" + support::shortened(*text) + "\"");
  }
  if (!gib || *gib == 0.0) return;
  const auto share = after(*text, "(");
  if (share && capacity_gib_) {
    const std::string_view digits = share->substr(0, share->find('%'));
    const auto percent = out_.number_or_zero(digits, "memory", line, 1e3);
    // Both are rounded to two digits after the point.
    const double expected = 100.0 * *gib / *capacity_gib_;
    if (percent && std::abs(expected - *percent) > 0.01 * expected + 0.02) {
      out_.problem(line, "expected memory that is its share of " +
                             support::shortened(capacity_text_) + " GiB, got \"" +
                             support::shortened(*text) + "\"");
      return;
    }
  }
  out_.peak(*gib, "reserved", line);
}

void TorchtitanRecords::read_device(std::string_view text, std::size_t line) {
  const std::size_t with = text.rfind(" with ");
  const std::size_t unit = text.find("GiB memory");
  if (with == std::string_view::npos || unit == std::string_view::npos || unit < with) return;
  capacity_text_ = text.substr(with + 6, unit - with - 6);
  capacity_gib_ = out_.number(capacity_text_, "capacity", line, memory_gib_max);
  const std::string_view device = device_of_driver_name(text.substr(0, with), capacity_gib_);
  out_.cell("device", std::string(device), "capacity", line);
  if (device.empty()) {
    out_.not_understood(line, "the device " + support::shortened(text.substr(0, with)));
  }
}

void TorchtitanRecords::settle_clock() {
  const bool knows_tokens = out_.find("global_batch") != nullptr &&
                            out_.find("seq_len") != nullptr && out_.find("n_gpus") != nullptr;
  std::vector<LoggedStep>& steps = out_.run().steps;
  if (knows_tokens || steps.size() < 3) return;
  std::vector<LoggedStep> timed;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const double count = static_cast<double>(steps[i].number - steps[i - 1].number);
    if (!clocks_[i] || !clocks_[i - 1] || !(count > 0.0)) continue;
    double seconds = *clocks_[i] - *clocks_[i - 1];
    if (seconds < 0.0) seconds += 86'400.0;  // past midnight
    if (!(seconds > 0.0)) continue;
    timed.push_back(steps[i]);
    timed.back().seconds = seconds / count;
    timed.back().rounding = 1e-3 / seconds;
  }
  if (timed.size() < 2) return;
  // The first of these intervals is no warm-up, but one record is always taken for it.
  timed.insert(timed.begin(), timed.front());
  timed.front().number = steps.front().number;
  steps = std::move(timed);
  out_.note("step times from the clock of the records");
}

}  // namespace cubicbench::datasets
