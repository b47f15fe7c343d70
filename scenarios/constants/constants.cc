#include "scenarios/constants/constants.h"

#include "sim/base/binary_sizes.h"
#include "support/prefixes.h"

namespace cubicbench::scenarios {
namespace {

using sim::Device;
using sim::Stack;

using support::micro;
constexpr double milli = 1e-3;

constexpr ConstantKind of_memory = ConstantKind::memory;

constexpr std::array<StackConstant, 61> of_stacks{{
    {"gemm_factor", &Stack::gemm_factor, 1.0, 0.01, 2.0},
    {"element_wise_factor", &Stack::element_wise_factor, 1.0, 0.0, 100.0},
    {"compiled_element_wise_factor", &Stack::compiled_element_wise_factor, 1.0, 0.0, 100.0},
    {"logits_traffic_bytes", &Stack::logits_traffic_bytes, 1.0, 0.0, 1e4},
    {"host_layer_forward_ms", &Stack::host_layer_forward, milli, 0.0, 1e6},
    {"host_smoothness", &Stack::host_smoothness, 1.0, 1.0, 64.0},
    {"host_jitter_us", &Stack::host_jitter, micro, 0.0, 1e6},
    {"compiled_host_factor", &Stack::compiled_host_factor, 1.0, 0.0, 10.0},
    {"latency_per_rank_us", &Stack::latency_per_rank, micro, 0.0, 1e6},
    {"launch_us", &Stack::launch, micro, 0.0, 1e6},
    {"accumulation_bytes", &Stack::accumulation_bytes, 1.0, 0.0, 64.0},
    {"grouped_gemm_factor", &Stack::grouped_gemm_factor, 1.0, 0.01, 2.0},
    {"routing_factor", &Stack::routing_factor, 1.0, 0.0, 100.0},
    {"plain_activation_factor", &Stack::plain_activation_factor, 1.0, 1.0, 100.0},
    {"expert_launches", &Stack::expert_launches, 1.0, 0.0, 100.0},
    {"launches_an_expert", &Stack::launches_an_expert, 1.0, 0.0, 100.0},
    {"dispatch_factor", &Stack::dispatch_factor, 1.0, 0.01, 100.0},
    {"dispatch_overlap", &Stack::dispatch_overlap, 1.0, 0.0, 1.0},
    {"overlap_cost", &Stack::overlap_cost, 1.0, 0.0, 1.0},
    {"ring_block_cost", &Stack::ring_block_cost, 1.0, 0.0, 10.0},
    {"tensor_overlap", &Stack::tensor_overlap, 1.0, 0.0, 1.0},
    {"async_tensor_overlap", &Stack::async_tensor_overlap, 1.0, 0.0, 1.0},
    {"data_overlap", &Stack::data_overlap, 1.0, 0.0, 1.0},
    {"zero1_overlap", &Stack::zero1_overlap, 1.0, 0.0, 1.0},
    {"pipeline_overlap", &Stack::pipeline_overlap, 1.0, 0.0, 1.0},
    {"update_traffic_bytes", &Stack::update_traffic_bytes, 1.0, 0.0, 1e4},
    {"lookup_factor", &Stack::lookup_factor, 1.0, 0.01, 100.0},
    {"sparse_step_ms", &Stack::sparse_step, milli, 0.0, 1e6},
    {"exchange_factor", &Stack::exchange_factor, 1.0, 0.01, 100.0},
    {"lookup_overlap", &Stack::lookup_overlap, 1.0, 0.0, 1.0},
    {"input_sample_us", &Stack::input_sample, micro, 0.0, 1e6},
    {"node_input_sample_us", &Stack::node_input_sample, micro, 0.0, 1e6},
    {"gated_attention_factor", &Stack::gated_attention_factor, 1.0, 0.01, 4.0},
    {"kept_per_hidden_bytes", &Stack::kept_per_hidden, 1.0, 0.0, 1e4, of_memory},
    {"kept_per_hidden_whole_bytes", &Stack::kept_per_hidden_whole, 1.0, 0.0, 1e4, of_memory},
    {"kept_per_kv_bytes", &Stack::kept_per_kv, 1.0, 0.0, 1e4, of_memory},
    {"kept_per_ffn_bytes", &Stack::kept_per_ffn, 1.0, 0.0, 1e4, of_memory},
    {"kept_per_hidden_context_bytes", &Stack::kept_per_hidden_context, 1.0, 0.0, 1e4, of_memory},
    {"kept_per_routed_bytes", &Stack::kept_per_routed, 1.0, 0.0, 1e4, of_memory},
    {"kept_per_micro_batch_bytes", &Stack::kept_per_micro_batch, 1.0, 0.0, 1e4, of_memory},
    {"kept_per_ffn_plain_bytes", &Stack::kept_per_ffn_plain, 1.0, 0.0, 1e4, of_memory},
    {"rotary_table_bytes", &Stack::rotary_table_bytes, 1.0, 0.0, 64.0, of_memory},
    {"logits_kept_bytes", &Stack::logits_kept_bytes, 1.0, 0.0, 1e4, of_memory},
    {"table_row_bytes", &Stack::table_row_bytes, 1.0, 0.0, 1e4, of_memory},
    {"table_copy_bytes", &Stack::table_copy_bytes, 1.0, 0.0, 64.0, of_memory},
    {"shard_weight_bytes", &Stack::shard_weight_bytes, 1.0, 0.0, 64.0, of_memory},
    {"shard_gradient_bytes", &Stack::shard_gradient_bytes, 1.0, 0.0, 64.0, of_memory},
    {"adam_bytes", &Stack::adam_bytes, 1.0, 0.0, 64.0, of_memory},
    {"gradient_bytes", &Stack::gradient_bytes, 1.0, 0.0, 64.0, of_memory},
    {"fp16_gradient_bytes", &Stack::fp16_gradient_bytes, 1.0, 0.0, 64.0, of_memory},
    {"fp16_owned_gradient_bytes", &Stack::fp16_owned_gradient_bytes, 1.0, 0.0, 64.0, of_memory},
    {"pass_gradient_bytes", &Stack::pass_gradient_bytes, 1.0, 0.0, 64.0, of_memory},
    {"returned_gradient_bytes", &Stack::returned_gradient_bytes, 1.0, 0.0, 64.0, of_memory},
    {"bucket_bytes", &Stack::bucket_bytes, 1.0, 0.0, 64.0, of_memory},
    {"update_bytes", &Stack::update_bytes, 1.0, 0.0, 64.0, of_memory},
    {"update_shard_bytes", &Stack::update_shard_bytes, 1.0, 0.0, 64.0, of_memory},
    {"state_fragmentation", &Stack::state_fragmentation, 1.0, 1.0, 10.0, of_memory},
    {"fragmentation", &Stack::fragmentation, 1.0, 1.0, 10.0, of_memory},
    {"update_uncached", &Stack::update_uncached, 1.0, 0.0, 10.0, of_memory},
    {"outside_allocator_gib", &Stack::outside_allocator, sim::bytes_per_gib, 0.0, 1e4, of_memory},
    {"communicator_mib", &Stack::communicator, sim::bytes_per_mib, 0.0, 1e6, of_memory},
}};

constexpr std::array<DeviceConstant, 14> of_devices{{
    {"memory_efficiency", &Device::memory_efficiency, 1.0, 0.01, 1.0},
    {"gemm_efficiency", &Device::gemm_efficiency, 1.0, 0.01, 1.0},
    {"gemm_share_fp8", &Device::gemm_share_fp8, 1.0, 0.01, 4.0},
    {"gemm_share_mxfp8", &Device::gemm_share_mxfp8, 1.0, 0.01, 4.0},
    {"gemm_share_nvfp4", &Device::gemm_share_nvfp4, 1.0, 0.01, 4.0},
    {"training_efficiency", &Device::training_efficiency, 1.0, 0.0, 1.0},
    {"training_share_fp8", &Device::training_share_fp8, 1.0, 0.0, 4.0},
    {"training_share_mxfp8", &Device::training_share_mxfp8, 1.0, 0.0, 4.0},
    {"training_share_nvfp4", &Device::training_share_nvfp4, 1.0, 0.0, 4.0},
    {"host_factor", &Device::host_factor, 1.0, 0.1, 10.0},
    {"gemm_k_half", &Device::gemm_k_half, 1.0, 0.0, 1e5},
    {"gemm_wave_weight", &Device::gemm_wave_weight, 1.0, 0.0, 1.0},
    {"attention_s_half", &Device::attention_s_half, 1.0, 0.0, 1e6},
    {"kernel_overhead_us", &Device::kernel_overhead, micro, 0.0, 1e6},
}};

constexpr TableEntry<Device, sim::attention_kernel_count> attention_of(
    sim::AttentionKernel kernel) {
  return {.table = &Device::attention_efficiency, .at = static_cast<std::size_t>(kernel)};
}

/// Entries of tables, which files give by table.
constexpr std::array<DeviceConstant, 4> of_device_tables{{
    {"attention_efficiency.flash1", attention_of(sim::AttentionKernel::flash1), 1.0, 0.01, 1.0},
    {"attention_efficiency.flash2", attention_of(sim::AttentionKernel::flash2), 1.0, 0.01, 1.0},
    {"attention_efficiency.flash3", attention_of(sim::AttentionKernel::flash3), 1.0, 0.01, 1.0},
    {"attention_efficiency.cudnn", attention_of(sim::AttentionKernel::cudnn), 1.0, 0.01, 1.0},
}};

}  // namespace

std::span<const StackConstant> stack_constants() { return of_stacks; }
std::span<const DeviceConstant> device_constants() { return of_devices; }

const StackConstant* find_stack_constant(std::string_view name) {
  return find_constant(stack_constants(), name);
}
const DeviceConstant* find_device_constant(std::string_view name) {
  const DeviceConstant* const found = find_constant(device_constants(), name);
  return found != nullptr ? found : find_constant<sim::Device>(of_device_tables, name);
}

std::vector<std::string> stack_constant_names(ConstantKind kind) {
  std::vector<std::string> names;
  for (const StackConstant& constant : of_stacks) {
    if (constant.kind == kind) names.emplace_back(constant.name);
  }
  return names;
}

std::vector<std::string> device_constant_names() {
  std::vector<std::string> names;
  for (const DeviceConstant& constant : of_devices) names.emplace_back(constant.name);
  for (const DeviceConstant& constant : of_device_tables) names.emplace_back(constant.name);
  return names;
}

}  // namespace cubicbench::scenarios
