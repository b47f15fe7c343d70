#include "scenarios/readers/description_reader.h"

#include <array>
#include <nlohmann/json.hpp>

#include "scenarios/constants/constants.h"
#include "scenarios/readers/description.h"
#include "scenarios/readers/inherited.h"
#include "sim/base/binary_sizes.h"
#include "sim/engine/step_energy.h"
#include "support/json/canonical.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"
#include "support/prefixes.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::array<std::string_view, sim::dtype_count> dtypes{"fp32", "tf32",  "fp16", "bf16",
                                                                "fp8",  "mxfp8", "nvfp4"};
constexpr std::array<std::string_view, 5> attention_kernels{"unfused", "flash1", "flash2", "flash3",
                                                            "cudnn"};
constexpr std::array<std::string_view, 5> stage_balances{
    "even", "ends_short", "by_cost", "even_or_ends_short", "even_or_front_full"};

constexpr std::array<std::string_view, 2> context_exchanges{"all_gather", "ring"};

using support::giga;
constexpr double tera = 1e12;

template <class T>
void read_constant(Description& in, const Constant<T>& constant, T& into) {
  const double otherwise = value_of(constant, into);
  set_value(constant, in.number(constant.name, constant.min, constant.max, otherwise), into);
}

sim::Fusion read_fusion(support::ObjectReader in) {
  sim::Fusion fused;
  fused.norms = in.boolean("norms", fused.norms);
  fused.rotary = in.boolean("rotary", fused.rotary);
  fused.projections = in.boolean("projections", fused.projections);
  fused.activation = in.boolean("activation", fused.activation);
  fused.residuals = in.boolean("residuals", fused.residuals);
  fused.delayed_scaling = in.boolean("delayed_scaling", fused.delayed_scaling);
  in.finish();
  return fused;
}

/// None where the board's is not known.
void read_power(Description& in, const std::vector<support::Problem>& problems,
                sim::Device& device) {
  constexpr double watts_min = 0.1;
  constexpr double watts_max = 10'000.0;
  if (!in.has("board_watts") && !in.has("waiting_watts")) return;
  const std::size_t before = problems.size();
  device.board_watts = in.number("board_watts", watts_min, watts_max);
  device.waiting_watts = in.number("waiting_watts", watts_min, watts_max,
                                   sim::typical_waiting_share * device.board_watts);
  if (problems.size() == before && device.waiting_watts > device.board_watts) {
    in.uncited().problem("waiting_watts", "expected at most /board_watts (" +
                                              support::shortest(device.board_watts) + "), got " +
                                              support::shortest(device.waiting_watts));
  }
}

constexpr std::size_t name_length_max = 100;  // it becomes a part of the name of a file

bool good_name(const std::string& name) {
  return !name.empty() && name.size() <= name_length_max &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") == std::string::npos;
}

}  // namespace

std::span<const std::string_view> dtype_names() { return dtypes; }
std::span<const std::string_view> attention_kernel_names() { return attention_kernels; }
std::span<const std::string_view> stage_balance_names() { return stage_balances; }
std::span<const std::string_view> context_exchange_names() { return context_exchanges; }

void check_name(const std::string& name, const std::string& where,
                std::vector<support::Problem>& problems) {
  const bool reported = !problems.empty() && problems.back().where == where;
  if (!good_name(name) && !reported) {
    problems.push_back({where, "expected a name of at most " + std::to_string(name_length_max) +
                                   " characters of a-z, 0-9, '.' and '-', got \"" +
                                   support::shortened(name) + "\""});
  }
}

sim::Device read_device(const Document& document, std::vector<support::Problem>& problems) {
  const auto json = support::parse_json(document.text, document.file);
  Description in(json, document.file, Kind::device, problems);
  sim::Device device;
  support::ObjectReader rates = in.object("matmul_tflops");
  for (std::size_t i = 0; i < dtypes.size(); ++i) {
    device.matmul_peak[i] = {rates.number(dtypes[i], rate_min, 1e6, 0.0) * tera};
  }
  rates.finish();
  device.memory = {in.number("memory_gib", 0.1, 1e5) * sim::bytes_per_gib};
  device.memory_bandwidth = {in.number("memory_tb_s", 0.001, 1e4) * tera};
  device.host_bandwidth = {in.number("host_gb_s", 0.001, 1e6, 25.0) * giga};
  device.sm_count = in.integer("sm_count", 1, 100'000);
  for (const DeviceConstant& constant : device_constants()) read_constant(in, constant, device);
  read_power(in, problems, device);
  if (in.has("attention_efficiency")) {
    support::ObjectReader kernels = in.object("attention_efficiency");
    for (std::size_t i = 1; i < attention_kernels.size(); ++i) {
      double& share = device.attention_efficiency[i];
      share = kernels.number(attention_kernels[i], 0.01, 1.0, share);
    }
    kernels.finish();
  }
  in.finish();
  return device;
}

sim::Stack read_stack(const Document& document, std::vector<support::Problem>& problems) {
  const auto json = with_inherited(document, Kind::stack);
  Description in(json, document.file, Kind::stack, problems);
  sim::Stack s;
  s.attention = in.choice("attention", attention_kernels, s.attention);
  for (const StackConstant& constant : stack_constants()) read_constant(in, constant, s);
  s.cuda_graphs = in.boolean("cuda_graphs", s.cuda_graphs);
  s.einsum_dispatch = in.boolean("einsum_dispatch", s.einsum_dispatch);
  s.network_trees = in.boolean("network_trees", s.network_trees);
  s.updates_all_rows = in.boolean("updates_all_rows", s.updates_all_rows);
  s.keeps_quantised = in.boolean("keeps_quantised", s.keeps_quantised);
  s.logits_split = in.boolean("logits_split", s.logits_split);
  s.allocator_replayed = in.boolean("allocator_replayed", s.allocator_replayed);
  s.stages_outermost = in.boolean("stages_outermost", s.stages_outermost);
  s.balance = in.choice("balance", stage_balances, s.balance);
  s.context = in.choice("context_exchange", context_exchanges, s.context);
  if (in.has("fused")) s.fusion = read_fusion(in.object("fused"));
  in.finish();
  return s;
}

}  // namespace cubicbench::scenarios
