#include "datasets/logs/log_formats.h"

#include <algorithm>
#include <array>

namespace cubicbench::datasets {

std::span<const LogFormat> log_formats() {
  static const std::array all{
      kineto_format(),          memory_snapshot_format(), mlperf_format(),
      torchtitan_format(),      maxtext_format(),         nemo_format(),
      megatron_bridge_format(), megatron_lm_format(),     deepspeed_format()};
  return all;
}

const LogFormat* recognised_format(const LogText& log) {
  const auto recognises = [&](const LogFormat& format) { return format.recognises(log); };
  const auto found = std::ranges::find_if(log_formats(), recognises);
  return found == log_formats().end() ? nullptr : &*found;
}

}  // namespace cubicbench::datasets
