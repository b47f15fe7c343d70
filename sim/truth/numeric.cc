#include "sim/truth/numeric.h"

#include <array>
#include <cstddef>

#include "sim/base/philox.h"

namespace cubicbench::sim {
namespace {

/// Whether a setting is this format.
template <Dtype Plan::*setting, Dtype format>
bool is(const Plan& plan) {
  return plan.*setting == format;
}

/// bf16 products with sums in bf16 are what FSDP does unless told otherwise.
bool reduces_coarse_products_in_bf16(const Plan& plan) {
  return is_quantised(plan.dtype) && plan.reduce_dtype == Dtype::bf16;
}

bool keeps_tables_in_16_bits(const Plan& plan) {
  return plan.embedding_dtype == Dtype::fp16 || plan.embedding_dtype == Dtype::bf16;
}

// Assumptions, every number: that a format is risky is common knowledge, how often it ends a
// training nobody has published. What they are chosen for: coarser formats fail more often, common
// practice (products, sums, rows and their gradients in bf16) never does, so that baselines train,
// and no choice fails so often that nobody would try it.
constexpr std::array<NumericRisk, 10> assumed_2026{{
    {"matrix products in fp16", is<&Plan::dtype, Dtype::fp16>, 1.0 / 8.0,
     "numbers end at 65,504: gradients need a scaled loss, and the scale is a guess"},
    {"matrix products in fp8", is<&Plan::dtype, Dtype::fp8>, 1.0 / 4.0,
     "2 or 3 bits of mantissa and one scale a tensor; DeepSeek-V3 scaled small tiles and summed in "
     "fp32 to train so"},
    {"matrix products in mxfp8", is<&Plan::dtype, Dtype::mxfp8>, 1.0 / 8.0,
     "fp8 with a scale for every 32 elements: half the risk of fp8"},
    {"matrix products in nvfp4", is<&Plan::dtype, Dtype::nvfp4>, 1.0 / 3.0, "one bit of mantissa"},
    {"gradients of coarse products summed in bf16", reduces_coarse_products_in_bf16, 1.0 / 16.0,
     "8 bits of mantissa: a sum loses what is below 1/256 of it; beside bf16 products it is "
     "common"},
    {"gradients summed in fp16", is<&Plan::reduce_dtype, Dtype::fp16>, 1.0 / 32.0,
     "11 bits of mantissa, but sums of many ranks leave its range"},
    {"tables in 16 bits", keeps_tables_in_16_bits, 1.0 / 16.0,
     "small updates of large weights are rounded away where nothing rounds at random"},
    {"rows sent in fp8", is<&Plan::forward_comm_dtype, Dtype::fp8>, 1.0 / 8.0,
     "as matrix products in mxfp8: quantised once, and read by everything that follows"},
    {"gradients of rows sent in fp16", is<&Plan::backward_comm_dtype, Dtype::fp16>, 1.0 / 32.0,
     "as gradients summed in fp16"},
    {"gradients of rows sent in fp8", is<&Plan::backward_comm_dtype, Dtype::fp8>, 1.0 / 4.0,
     "as matrix products in fp8"},
}};

constexpr NumericModel exact{};
constexpr NumericModel assumed{.risks = assumed_2026};

}  // namespace

std::uint32_t precision_recipe(const Plan& plan) {
  std::uint32_t recipe = 0;
  for (const Dtype format : {plan.dtype, plan.param_dtype, plan.reduce_dtype, plan.embedding_dtype,
                             plan.forward_comm_dtype, plan.backward_comm_dtype}) {
    recipe = recipe << 3 | static_cast<std::uint32_t>(format);
  }
  // The lower two bits of both, and above all others the rest: no draw of the first four moves.
  std::uint32_t rest = 0;
  for (const Optimizer optimizer : {plan.optimizer, plan.embedding_optimizer}) {
    const auto number = static_cast<std::uint32_t>(optimizer);
    recipe = recipe << 2 | (number & 3U);
    rest = rest << 2 | number >> 2;
  }
  return recipe | rest << 22;
}

const NumericModel* find_numeric_model(std::string_view name) {
  if (name == "none") return &exact;
  return name == "assumed-2026" ? &assumed : nullptr;
}

std::optional<Divergence> divergence(const NumericModel& model, const Plan& plan,
                                     std::uint64_t seed) {
  if (model.risks.empty()) return std::nullopt;
  std::optional<Divergence> first;
  const std::uint32_t recipe = precision_recipe(plan);
  for (std::size_t i = 0; i < model.risks.size(); ++i) {
    const NumericRisk& risk = model.risks[i];
    if (!risk.applies(plan)) continue;
    const RandomWords words =
        random_words({.seed = seed, .purpose = Purpose::numeric, .entity = i, .draw = recipe});
    if (unit_interval(words.first) >= risk.probability) continue;
    const double after = unit_interval(words.second);
    if (!first || after < first->after) first = {.after = after, .cause = risk.cause};
  }
  return first;
}

}  // namespace cubicbench::sim
