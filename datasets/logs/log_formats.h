#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/logs/log_recorder.h"
#include "datasets/logs/log_text.h"

namespace cubicbench::datasets {

/// What writes logs, and how they are read.
struct LogFormat {
  std::string_view name;
  /// Forms of its records that are told apart, oldest first.
  std::span<const std::string_view> versions;
  bool (*recognises)(const LogText& log);
  /// States what the log says, and its version.
  void (*read)(const LogText& log, LogRecorder& out);
};

/// All formats; where several recognise a log, the first one reads it.
std::span<const LogFormat> log_formats();

/// The format of a log, or null.
const LogFormat* recognised_format(const LogText& log);

// One a source. Formats that print records inside those of another come before it.
LogFormat kineto_format();
LogFormat memory_snapshot_format();
LogFormat mlperf_format();
LogFormat torchtitan_format();
LogFormat maxtext_format();
LogFormat nemo_format();
LogFormat megatron_bridge_format();
LogFormat megatron_lm_format();
LogFormat deepspeed_format();

}  // namespace cubicbench::datasets
