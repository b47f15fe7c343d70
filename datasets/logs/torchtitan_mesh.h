#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "datasets/logs/log_recorder.h"
#include "datasets/logs/log_settings.h"

namespace cubicbench::datasets {

/// The device mesh that torchtitan logs, and how it shards over it.
class TorchtitanMesh {
 public:
  explicit TorchtitanMesh(LogRecorder& out) : out_(out) {}

  /// `pp=1, dp_replicate=1, dp_shard=8, cp=1, tp=1, ep=1, etp=1`.
  void read(std::string_view text, std::size_t line);
  /// `['dp_shard', 'tp'], [4, 2]`.
  void read_old(std::string_view text, std::size_t line);
  /// The model is replicated by DDP, not sharded.
  void note_ddp() { is_ddp_ = true; }

  /// Takes degrees that only the configuration states.
  void settle(const LogSettings& settings);
  void settle_sharding(const LogSettings& settings);

  /// 1 where none is stated.
  std::int64_t degree(const std::string& name) const;

 private:
  void add_degree(std::string_view name, std::string_view text, std::size_t line);
  void finish(std::size_t line);

  LogRecorder& out_;
  std::map<std::string, std::int64_t, std::less<>> degrees_;
  std::size_t line_ = 0;  ///< that states them
  bool is_ddp_ = false;
};

}  // namespace cubicbench::datasets
