#include "datasets/mapping/mapped_kernel.h"

#include <algorithm>

#include "datasets/mapping/measured_json.h"
#include "datasets/mapping/text_match.h"
#include "scenarios/readers/description_reader.h"
#include "sim/hardware/stack.h"
#include "support/input_error.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;

constexpr double dimension_max = 1e9;

KernelRules::Accelerator read_accelerator(ObjectReader& in) {
  return {.name = non_empty(in, "name"), .device = known_device(in)};
}

KernelRules::Precision read_precision(ObjectReader& in) {
  return {.prefix = non_empty(in, "prefix"),
          .dtype = static_cast<sim::Dtype>(in.one_of("dtype", scenarios::dtype_names()))};
}

KernelRules::Attention read_attention(ObjectReader& in) {
  return {.name = non_empty(in, "name"),
          .kernel = static_cast<sim::AttentionKernel>(
              in.one_of("kernel", scenarios::attention_kernel_names()))};
}

KernelRules::AttentionSize read_attention_size(ObjectReader in) {
  const KernelRules::AttentionSize size{.tokens = in.number("tokens", 1.0, dimension_max),
                                        .hidden = in.number("hidden", 1.0, dimension_max)};
  non_empty(in, "why");
  in.finish();
  return size;
}

constexpr double tera = 1e12;
constexpr double gemm_factor = 1.0;  // kernels on their own, not in a step
constexpr sim::Bytes streamed{1e9};
constexpr double backward_over_forward = 2.5;  // products of fused attention: five against two

MappedKernel refused(std::string reason) {
  return {.kernel = std::nullopt, .reason = std::move(reason)};
}

MappedKernel mapped(TimedKernel kernel) { return {.kernel = std::move(kernel), .reason = ""}; }

const std::string* device_of(const KernelMeasurement& row, const Library& among) {
  const auto& rules = kernel_rules().accelerators;
  const auto found = std::ranges::find(rules, row.accelerator, &KernelRules::Accelerator::name);
  if (found != rules.end()) return &found->device;
  const auto named = among.devices.find(row.accelerator);
  return named == among.devices.end() ? nullptr : &named->first;
}

MappedKernel map_gemm(const KernelMeasurement& row, const std::string& device) {
  const auto& rules = kernel_rules().dtypes;
  const auto precision = std::ranges::find_if(
      rules, [&](const auto& rule) { return row.dtype.starts_with(rule.prefix); });
  if (precision == rules.end())
    return refused("no rule for dtype " + support::in_quotes(support::shortened(row.dtype)));
  if (row.batch.value_or(1) != 1) return refused("a batch of products");
  if (!row.m || !row.n || !row.k || !row.tflops) return refused("no sizes or no rate");
  const sim::GemmShape shape{.m = static_cast<double>(*row.m),
                             .n = static_cast<double>(*row.n),
                             .k = static_cast<double>(*row.k)};
  const double work = 2.0 * shape.m * shape.n * shape.k;
  return mapped({.device = device,
                 .kernel = TimedGemm{.dtype = precision->dtype, .shape = shape},
                 .time = sim::Seconds{work / (*row.tflops * tera)},
                 .group = "k " + std::to_string(*row.k)});
}

/// Products of a pass over those of the forward pass.
double work_of(const TimedAttention& attention) {
  return (attention.forward ? 1.0 : 0.0) + (attention.backward ? backward_over_forward : 0.0);
}

MappedKernel map_attention(const KernelMeasurement& row, const std::string& device) {
  const KernelRules& rules = kernel_rules();
  const auto kernel =
      std::ranges::find(rules.attention, row.implementation, &KernelRules::Attention::name);
  if (kernel == rules.attention.end()) {
    return refused("no rule for attention " +
                   support::in_quotes(support::shortened(row.implementation)));
  }
  if (row.causal != "True") return refused("attention that is not causal");
  const std::optional<double> head_size = support::parsed<double>(row.head_dim);
  if (!head_size || !row.seqlen || !row.tflops) return refused("no sizes or no rate");
  if (row.pass != "fwd" && row.pass != "bwd" && row.pass != "fwd+bwd") {
    return refused("no rule for pass " + support::in_quotes(support::shortened(row.pass)));
  }
  const auto length = static_cast<double>(*row.seqlen);
  const double sequences = row.batch ? static_cast<double>(*row.batch)
                                     : std::max(1.0, rules.attention_size.tokens / length);
  const double heads =
      support::parsed<double>(row.heads).value_or(rules.attention_size.hidden / *head_size);
  const TimedAttention attention{.kernel = kernel->kernel,
                                 .shape = {.queries = length,
                                           .keys = length,
                                           .heads = heads * sequences,
                                           .head_size = *head_size},
                                 .forward = row.pass != "bwd",
                                 .backward = row.pass != "fwd"};
  const double causal = 0.5;
  const double work = causal * 4.0 * length * length * heads * sequences * *head_size;
  const auto name = scenarios::attention_kernel_names()[static_cast<std::size_t>(kernel->kernel)];
  return mapped({.device = device,
                 .kernel = attention,
                 .time = sim::Seconds{work * work_of(attention) / (*row.tflops * tera)},
                 .group = std::string(name) + " " + row.head_dim});
}

MappedKernel map_stream(const KernelMeasurement& row, const std::string& device) {
  if (row.unit != "TB/s")
    return refused("no rule for unit " + support::in_quotes(support::shortened(row.unit)));
  if (!row.value) return refused("no sizes or no rate");
  return mapped({.device = device,
                 .kernel = TimedStream{},
                 .time = streamed / sim::BytesPerSecond{*row.value * tera},
                 .group = row.kernel});
}

sim::Seconds time_of(const TimedGemm& gemm, const sim::Device& device) {
  return sim::gemm_time(device, gemm.dtype, gemm.shape, gemm_factor);
}

sim::Seconds time_of(const TimedAttention& attention, const sim::Device& device) {
  sim::Stack stack;
  stack.attention = attention.kernel;
  sim::Seconds time;
  if (attention.forward) {
    time = time + sim::attention_forward(device, stack, sim::Dtype::bf16, attention.shape);
  }
  if (attention.backward) {
    time = time + sim::attention_backward(device, stack, sim::Dtype::bf16, attention.shape);
  }
  return time;
}

sim::Seconds time_of(const TimedStream& /*any*/, const sim::Device& device) {
  return sim::memory_bound_time(device, streamed);
}

}  // namespace

KernelRules read_kernel_rules(std::string_view text, const std::string& file) {
  return read_measured_json(text, file, "cubicbench.kernels/1", [](ObjectReader& in) {
    return KernelRules{.accelerators = read_rules(in.array("accelerators"), read_accelerator),
                       .dtypes = read_rules(in.array("dtypes"), read_precision),
                       .attention = read_rules(in.array("attention"), read_attention),
                       .attention_size = read_attention_size(in.object("attention_size"))};
  });
}

const KernelRules& kernel_rules() { return shipped<read_kernel_rules>("kernels.json"); }

MappedKernel map_kernel(const KernelMeasurement& row, KernelKind kind, const Library& among) {
  const std::string* const device = device_of(row, among);
  if (device == nullptr)
    return refused("no rule for accelerator " +
                   support::in_quotes(support::shortened(row.accelerator)));
  if (kind == KernelKind::gemm) return map_gemm(row, *device);
  return kind == KernelKind::attention ? map_attention(row, *device) : map_stream(row, *device);
}

sim::Seconds simulated_time(const TimedKernel& kernel, const sim::Device& device) {
  return std::visit([&](const auto& timed) { return time_of(timed, device); }, kernel.kernel);
}

}  // namespace cubicbench::datasets
