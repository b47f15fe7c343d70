// PyTorch's memory snapshot, exported to JSON: segments with their blocks, and what the allocator
// did, oldest first (pytorch.org/docs, torch_cuda_memory; torch/cuda/memory.py, _snapshot()).
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "datasets/logs/log_fields.h"
#include "datasets/logs/log_formats.h"
#include "datasets/logs/log_json.h"
#include "sim/base/binary_sizes.h"
#include "support/json/canonical.h"

namespace cubicbench::datasets {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 2> snapshot_versions{"segments", "history"};

bool is_snapshot_log(const LogText& log) {
  const std::string_view bytes = log.bytes.substr(0, std::size_t{1} << 16);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || bytes[first] != '{') return false;
  return contains(log.bytes, "\"segments\"") && !contains(bytes, "\"traceEvents\"");
}

/// What one device holds, in bytes.
struct Held {
  double allocated = 0.0;
  double reserved = 0.0;
};

class SnapshotReader {
 public:
  explicit SnapshotReader(LogRecorder& out) : out_(out) {}

  void read(const Json& snapshot) {
    const Json* const segments = member(snapshot, "segments");
    if (segments == nullptr || !segments->is_array()) {
      out_.problem(0, "expected an array \"segments\"");
      return;
    }
    for (const Json& segment : *segments) read_segment(segment);
    if (const Json* const traces = member(snapshot, "device_traces")) read_traces(*traces);
    name_others(snapshot);
    Held peak;
    for (const auto& [device, held] : peaks_) {
      peak.allocated = std::max(peak.allocated, held.allocated);
      peak.reserved = std::max(peak.reserved, held.reserved);
    }
    if (peak.reserved > 0.0) out_.peak(peak.reserved / sim::bytes_per_gib, "reserved", 0);
    out_.note((has_history_ ? "most allocated " : "allocated at the end ") +
              support::shortest(std::round(1e4 * peak.allocated / sim::bytes_per_gib) / 1e4) +
              " GiB");
    out_.version(snapshot_versions[has_history_ ? 1 : 0]);
  }

 private:
  /// A number of bytes in [0, 100 TB]; a problem, and 0, where it is none.
  double bytes_of(const Json& object, std::string_view name, const std::string& where) {
    const auto bytes = number_member(object, name);
    if (bytes && *bytes >= 0.0 && *bytes <= memory_gib_max * sim::bytes_per_gib) return *bytes;
    const Json* const found = member(object, name);
    out_.problem(0, "expected " + where + "." + std::string(name) +
                        " of at least 0 and at most 100 TB, got " +
                        (found == nullptr ? "nothing" : support::shortened(found->dump())));
    return 0.0;
  }

  static std::int64_t device_of(const Json& object) {
    const auto device = number_member(object, "device");
    return device && *device >= 0.0 && *device < 1e6 ? static_cast<std::int64_t>(*device) : 0;
  }

  void read_segment(const Json& segment) {
    if (!segment.is_object()) {
      out_.problem(0, "expected segments that are objects");
      return;
    }
    Held& held = at_end_[device_of(segment)];
    const double total = bytes_of(segment, "total_size", "segment");
    const double allocated = bytes_of(segment, "allocated_size", "segment");
    if (allocated > total) {
      out_.problem(0, "expected a segment's allocated_size up to its total_size " +
                          support::shortest(total) + ", got " + support::shortest(allocated));
    }
    held.reserved += total;
    held.allocated += allocated;
    Held& peak = peaks_[device_of(segment)];
    peak = {.allocated = std::max(peak.allocated, held.allocated),
            .reserved = std::max(peak.reserved, held.reserved)};
  }

  void read_traces(const Json& traces) {
    if (!traces.is_array()) {
      out_.problem(0, "expected an array \"device_traces\"");
      return;
    }
    std::int64_t device = 0;
    for (const Json& trace : traces) read_trace(trace, device++);
  }

  /// Back from what the segments hold at the end: what was freed was there before.
  void read_trace(const Json& trace, std::int64_t device) {
    if (!trace.is_array() || trace.empty()) return;
    has_history_ = true;
    Held held = at_end_[device];
    Held& peak = peaks_[device];
    for (auto event = trace.rbegin(); event != trace.rend(); ++event) {
      undo(*event, held);
      peak.allocated = std::max(peak.allocated, held.allocated);
      peak.reserved = std::max(peak.reserved, held.reserved);
    }
    const double slack = 1.0;
    if (held.allocated < -slack || held.reserved < -slack) {
      out_.problem(0,
                   "expected a history that ends with what the segments hold, got one that "
                   "frees less than it allocates by " +
                       support::shortest(-std::min(held.allocated, held.reserved)) + " bytes");
    }
  }

  void undo(const Json& event, Held& held) {
    const Json* const action = member(event, "action");
    if (action == nullptr || !action->is_string()) {
      out_.problem(0, "expected events of device_traces with an action");
      return;
    }
    const std::string name = action->get<std::string>();
    constexpr std::array<std::string_view, 4> silent{"free_requested", "snapshot", "oom",
                                                     "workspace_snapshot"};
    if (name == "oom") out_.out_of_memory(0);
    if (std::ranges::find(silent, name) != silent.end()) return;
    const double size = bytes_of(event, "size", "event");
    if (name == "alloc") {
      held.allocated -= size;
    } else if (name == "free_completed" || name == "free") {
      held.allocated += size;
    } else if (name == "segment_alloc" || name == "segment_map") {
      held.reserved -= size;
    } else if (name == "segment_free" || name == "segment_unmap") {
      held.reserved += size;
    } else if (unknown_.insert(name).second) {
      out_.not_understood(0, "the action " + support::shortened(name));
    }
  }

  void name_others(const Json& snapshot) {
    constexpr std::array<std::string_view, 5> known{"segments", "device_traces",
                                                    "allocator_settings", "external_annotations",
                                                    "device_properties"};
    for (const auto& [name, value] : snapshot.items()) {
      if (std::ranges::find(known, name) == known.end()) {
        out_.not_understood(0, "the member " + support::shortened(name));
      }
    }
  }

  LogRecorder& out_;
  bool has_history_ = false;
  std::map<std::int64_t, Held> at_end_, peaks_;
  std::set<std::string> unknown_;
};

void read_snapshot_log(const LogText& log, LogRecorder& out) {
  out.version(snapshot_versions.front());
  const auto snapshot = parsed_document(log.bytes, out);
  if (snapshot) SnapshotReader(out).read(*snapshot);
}

}  // namespace

LogFormat memory_snapshot_format() {
  return {.name = "pytorch-memory-snapshot",
          .versions = snapshot_versions,
          .recognises = is_snapshot_log,
          .read = read_snapshot_log};
}

}  // namespace cubicbench::datasets
