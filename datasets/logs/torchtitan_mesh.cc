#include "datasets/logs/torchtitan_mesh.h"

#include <algorithm>
#include <array>

#include "datasets/logs/log_fields.h"
#include "support/input_error.h"
#include "support/parsed.h"

namespace cubicbench::datasets {

void TorchtitanMesh::settle(const LogSettings& settings) {
  if (line_ != 0) return;
  constexpr std::array<std::array<std::string_view, 2>, 6> degrees{
      {{"parallelism.data_parallel_replicate_degree", "dp_replicate"},
       {"parallelism.data_parallel_shard_degree", "dp_shard"},
       {"parallelism.tensor_parallel_degree", "tp"},
       {"parallelism.pipeline_parallel_degree", "pp"},
       {"parallelism.context_parallel_degree", "cp"},
       {"parallelism.expert_parallel_degree", "ep"}}};
  std::size_t line = 0;
  for (const auto& [setting, name] : degrees) {
    const LogSetting* const found = find_log_setting(settings, setting);
    if (found == nullptr) continue;
    const auto count = support::parsed<std::int64_t>(found->value);
    if (!count || *count < 1) {
      degrees_.clear();  // -1: all GPUs that there are
      return;
    }
    degrees_.emplace(std::string(name), *count);
    line = found->line;
  }
  if (degrees_.contains("dp_shard")) finish(line);
}

void TorchtitanMesh::read(std::string_view text, std::size_t line) {
  for (const LogField& field : fields_of(text, ",", "=")) {
    add_degree(field.name, field.value, line);
  }
  finish(line);
}

void TorchtitanMesh::read_old(std::string_view text, std::size_t line) {
  const std::size_t middle = text.find("], [");
  if (!text.starts_with('[') || middle == std::string_view::npos) return;
  const auto names = fields_of(text.substr(1, middle - 1), ",", "=");
  const std::string_view rest = text.substr(middle + 4);
  const auto sizes = fields_of(rest.substr(0, rest.find(']')), ",", "=");
  for (std::size_t i = 0; i < std::min(names.size(), sizes.size()); ++i) {
    std::string_view name = names[i].name;
    while (name.starts_with('\'')) name.remove_prefix(1);
    while (name.ends_with('\'')) name.remove_suffix(1);
    add_degree(name, sizes[i].name, line);
  }
  for (const std::string_view name : {"tp", "pp", "cp"}) degrees_.emplace(name, 1);
  finish(line);
}

void TorchtitanMesh::add_degree(std::string_view name, std::string_view text, std::size_t line) {
  constexpr std::array<std::string_view, 8> known{"pp", "dp", "dp_replicate", "dp_shard",
                                                  "cp", "tp", "ep",           "etp"};
  if (std::ranges::find(known, name) == known.end()) {
    out_.not_understood(line, "the mesh dimension " + support::shortened(name));
    return;
  }
  const auto degree = out_.count(text, name, line);
  if (degree) degrees_.emplace(std::string(name), *degree);
}

std::int64_t TorchtitanMesh::degree(const std::string& name) const {
  const auto found = degrees_.find(name);
  return found == degrees_.end() ? 1 : found->second;
}

void TorchtitanMesh::finish(std::size_t line) {
  const std::int64_t dp = degree("dp") * degree("dp_replicate") * degree("dp_shard");
  out_.cell("dp", dp, "the device mesh", line);
  for (const char* const name : {"tp", "pp", "cp", "ep"}) {
    if (degrees_.contains(name)) out_.cell(name, degree(name), "the device mesh", line);
  }
  out_.cell("n_gpus", dp * degree("tp") * degree("pp") * degree("cp"), "the device mesh", line);
  line_ = line;
}

void TorchtitanMesh::settle_sharding(const LogSettings& settings) {
  if (line_ == 0) return;
  const bool is_whole = setting_value(settings, "fsdp_reshard_after_forward") == "never";
  const bool is_sharded = degree("dp_shard") * degree("dp") * degree("cp") > 1 && !is_ddp_;
  const char* const name = !is_sharded                  ? "no_shard"
                           : degree("dp_replicate") > 1 ? "hybrid_shard"
                           : is_whole                   ? "shard_grad_op"
                                                        : "full_shard";
  out_.cell("sharding", name, "the device mesh", line_);
  if (degree("dp_replicate") > 1 && is_sharded) {
    out_.cell("fsdp_strategy",
              "HYBRID_SHARD within " + std::to_string(degree("dp_shard") * degree("cp")) + " ranks",
              "the device mesh", line_);
  }
}

}  // namespace cubicbench::datasets
