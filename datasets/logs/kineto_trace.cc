// A Chrome trace as PyTorch's profiler (Kineto) exports it: `ProfilerStep#N` spans, kernels on
// streams, collectives with their arguments, memory events; times in microseconds
// (github.com/pytorch/kineto, libkineto/src/output_json.cpp).
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "datasets/logs/busy_time.h"
#include "datasets/logs/log_fields.h"
#include "datasets/logs/log_formats.h"
#include "datasets/logs/log_json.h"
#include "datasets/logs/logged_device.h"
#include "sim/base/binary_sizes.h"
#include "support/json/canonical.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 2> kineto_versions{"kernels", "kernels-with-collectives"};
constexpr std::string_view step_name = "ProfilerStep#";
constexpr double us_per_s = 1e6;

bool is_kineto_log(const LogText& log) {
  const std::size_t first = log.bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || log.bytes[first] != '{') return false;
  return contains(log.bytes, "\"traceEvents\"");
}

/// All that ran of one collective.
struct CollectiveSum {
  int calls = 0;
  double seconds = 0.0;
  double elements = 0.0;
};

class KinetoReader {
 public:
  explicit KinetoReader(LogRecorder& out) : out_(out) {}

  void read(const Json& trace) {
    read_head(trace);
    const Json* const events = member(trace, "traceEvents");
    if (events == nullptr || !events->is_array()) {
      out_.problem(0, "expected an array \"traceEvents\"");
      return;
    }
    for (const Json& event : *events) read_event(event);
    state_steps();
    state_occupancy();
    state_collectives();
    out_.version(kineto_versions[collectives_.empty() ? 0 : 1]);
  }

 private:
  void read_head(const Json& trace) {
    if (const Json* const info = member(trace, "distributedInfo")) {
      if (const Json* const world = member(*info, "world_size")) {
        out_.cell("n_gpus", json_word(*world), "distributedInfo.world_size", 0);
      }
      if (const Json* const groups = member(*info, "pg_config")) read_groups(*groups);
    }
    const Json* const devices = member(trace, "deviceProperties");
    if (devices == nullptr || !devices->is_array() || devices->empty()) return;
    const Json* const name = member(devices->front(), "name");
    if (name == nullptr || !name->is_string()) return;
    const auto bytes = number_member(devices->front(), "totalGlobalMem");
    const auto gib = bytes ? std::optional(*bytes / sim::bytes_per_gib) : std::nullopt;
    const std::string_view device = device_of_driver_name(name->get<std::string>(), gib);
    out_.cell("device", std::string(device), "deviceProperties.name", 0);
    if (device.empty()) {
      out_.not_understood(0, "the device " + support::shortened(name->get<std::string>()));
    }
  }

  /// Process groups that say what they are for: torch's device meshes and Megatron-Core's.
  void read_groups(const Json& groups) {
    if (!groups.is_array()) return;
    constexpr std::array<SettingName, 8> names{{{"mesh_tp", "tp"},
                                                {"TENSOR_MODEL_PARALLEL_GROUP", "tp"},
                                                {"mesh_pp", "pp"},
                                                {"PIPELINE_MODEL_PARALLEL_GROUP", "pp"},
                                                {"mesh_cp", "cp"},
                                                {"CONTEXT_PARALLEL_GROUP", "cp"},
                                                {"mesh_ep", "ep"},
                                                {"EXPERT_MODEL_PARALLEL_GROUP", "ep"}}};
    for (const Json& group : groups) {
      const Json* const purpose = member(group, "pg_desc");
      const Json* const size = member(group, "pg_size");
      if (purpose == nullptr || size == nullptr || !purpose->is_string()) continue;
      for (const SettingName& name : names) {
        if (*purpose == name.words) out_.cell(name.column, json_word(*size), "pg_config", 0);
      }
    }
  }

  struct SettingName {
    std::string_view words;
    std::string_view column;
  };

  void read_event(const Json& event) {
    const Json* const phase = member(event, "ph");
    const Json* const name = member(event, "name");
    if (phase == nullptr || name == nullptr || !phase->is_string() || !name->is_string()) return;
    const std::string words = name->get<std::string>();
    if (words == "[memory]") read_memory(event);
    if (*phase != "X") return;
    const Json* const category = member(event, "cat");
    const std::string of =
        category != nullptr && category->is_string() ? category->get<std::string>() : "";
    if (words.starts_with(step_name) && of != "gpu_user_annotation") {
      read_step(event, words);
    } else if (of == "kernel" || of == "gpu_memcpy" || of == "gpu_memset") {
      read_kernel(event, words, of);
    }
  }

  /// Start and length in seconds; a problem, and nothing, where they cannot be.
  std::optional<Span> span_of(const Json& event, const std::string& name) {
    const auto start = number_member(event, "ts");
    const auto length = number_member(event, "dur");
    const bool can_be = start && length && std::isfinite(*start) && *length >= 0.0 &&
                        *length <= step_seconds_max * us_per_s;
    if (can_be) return Span{*start / us_per_s, (*start + *length) / us_per_s};
    const Json* const dur = member(event, "dur");
    out_.problem(0, "expected ts and dur of " + support::shortened(name) +
                        " to be times of at least 0, got dur " +
                        (dur == nullptr ? "nothing" : support::shortened(dur->dump())));
    return std::nullopt;
  }

  void read_step(const Json& event, const std::string& name) {
    const auto number =
        support::parsed<std::int64_t>(std::string_view(name).substr(step_name.size()));
    const auto span = span_of(event, name);
    if (!number || *number < 0) {
      out_.not_understood(0, "the step " + support::shortened(name));
      return;
    }
    if (span) steps_.emplace(*number, *span);
  }

  void read_kernel(const Json& event, const std::string& name, const std::string& of) {
    const auto span = span_of(event, name);
    if (!span) return;
    const Json* const arguments = member(event, "args");
    const Json* const collective =
        arguments == nullptr ? nullptr : member(*arguments, "Collective name");
    const bool is_communication =
        of == "kernel" &&
        (contains(name, "nccl") || contains(name, "rccl") || collective != nullptr);
    (is_communication ? communication_ : compute_).push_back(*span);
    if (!is_communication || collective == nullptr || !collective->is_string()) return;
    CollectiveSum& sum = collectives_[collective->get<std::string>()];
    ++sum.calls;
    sum.seconds += span->end - span->start;
    sum.elements += std::max(0.0, number_member(*arguments, "In msg nelems").value_or(0.0));
  }

  /// Of the device, not of the host.
  void read_memory(const Json& event) {
    const Json* const arguments = member(event, "args");
    if (arguments == nullptr || number_member(*arguments, "Device Type").value_or(0.0) != 1.0)
      return;
    const auto reserved = number_member(*arguments, "Total Reserved");
    if (!reserved || *reserved == 0.0) return;
    if (!(*reserved > 0.0) || *reserved > memory_gib_max * sim::bytes_per_gib) {
      out_.problem(0, "expected Total Reserved above 0 and at most 100 TB, got " +
                          support::shortest(*reserved));
      return;
    }
    out_.peak(*reserved / sim::bytes_per_gib, "reserved", 0);
  }

  void state_steps() {
    for (const auto& [number, span] : steps_) {
      LoggedStep step{.line = 0, .number = number};
      step.seconds = span.end - span.start;
      if (!(step.seconds > 0.0)) {
        out_.problem(0, "expected a step that takes time, got " + std::string(step_name) +
                            std::to_string(number) + " of 0 us");
        continue;
      }
      out_.step(std::move(step));
    }
    if (steps_.empty())
      out_.not_understood(0, "a trace without spans ProfilerStep#N: no step time");
  }

  /// From the first step that counts to the end of the last: all spans where there are no steps.
  void state_occupancy() {
    if (steps_.empty() || (compute_.empty() && communication_.empty())) return;
    const auto first = steps_.size() > 1 ? std::next(steps_.begin()) : steps_.begin();
    const Span window{first->second.start, steps_.rbegin()->second.end};
    const double length = window.end - window.start;
    if (!(length > 0.0)) return;
    const double compute = busy_time(compute_, window);
    const double communication = busy_time(communication_, window);
    std::vector<Span> all = compute_;
    all.insert(all.end(), communication_.begin(), communication_.end());
    const double busy = busy_time(std::move(all), window);
    out_.note("kernels of compute " + share(compute / length) + ", of communication " +
              share(communication / length) + ", exposed communication " +
              share((busy - compute) / length) + ", idle " + share(1.0 - busy / length));
  }

  static std::string share(double part) {
    return support::shortest(std::round(1000.0 * std::max(0.0, part)) / 10.0) + " %";
  }

  void state_collectives() {
    constexpr std::size_t shown = 8;
    std::vector<std::pair<std::string, CollectiveSum>> all(collectives_.begin(),
                                                           collectives_.end());
    std::ranges::stable_sort(all, std::greater<>{},
                             [](const auto& one) { return one.second.seconds; });
    for (const auto& [name, sum] : all) {
      if (&name == &all[std::min(shown, all.size() - 1)].first && all.size() > shown) break;
      out_.note(support::shortened(name) + " x " + std::to_string(sum.calls) + ": " +
                support::shortest(std::round(1e6 * sum.seconds) / 1e3) + " ms, " +
                support::shortest(sum.elements) + " elements");
    }
  }

  LogRecorder& out_;
  std::map<std::int64_t, Span> steps_;
  std::vector<Span> compute_, communication_;
  std::map<std::string, CollectiveSum> collectives_;
};

void read_kineto_log(const LogText& log, LogRecorder& out) {
  out.version(kineto_versions.front());
  const auto trace = parsed_document(log.bytes, out);
  if (trace) KinetoReader(out).read(*trace);
}

}  // namespace

LogFormat kineto_format() {
  return {.name = "kineto",
          .versions = kineto_versions,
          .recognises = is_kineto_log,
          .read = read_kineto_log};
}

}  // namespace cubicbench::datasets
