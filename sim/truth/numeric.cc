#include "sim/truth/numeric.h"

#include <array>
#include <cstddef>

#include "sim/base/philox.h"

namespace cubicbench::sim {
namespace {

constexpr std::uint32_t code(Dtype dtype) { return static_cast<std::uint32_t>(dtype); }
constexpr std::uint32_t code(Optimizer optimizer) { return static_cast<std::uint32_t>(optimizer); }

/// Eight values of a format and four of an optimizer have a digit each.
std::uint32_t recipe_of_products(const Plan& plan) {
  return code(plan.dtype) | code(plan.param_dtype) << 3 | code(plan.reduce_dtype) << 6 |
         code(plan.optimizer) << 9;
}

std::uint32_t recipe_of_reductions(const Plan& plan) {
  return code(plan.reduce_dtype) | code(plan.param_dtype) << 3 | code(plan.optimizer) << 6;
}

std::uint32_t recipe_of_tables(const Plan& plan) {
  return code(plan.embedding_dtype) | code(plan.embedding_optimizer) << 3;
}

std::uint32_t recipe_of_rows(const Plan& plan) {
  return code(plan.forward_comm_dtype) | code(plan.embedding_dtype) << 3;
}

std::uint32_t recipe_of_row_gradients(const Plan& plan) {
  return code(plan.backward_comm_dtype) | code(plan.embedding_dtype) << 3 |
         code(plan.embedding_optimizer) << 6;
}

template <Dtype format>
bool multiplies_in(const Plan& plan) {
  return plan.dtype == format;
}

template <Dtype format>
bool reduces_in(const Plan& plan) {
  return plan.reduce_dtype == format;
}

template <Dtype format>
bool sends_rows_in(const Plan& plan) {
  return plan.forward_comm_dtype == format;
}

template <Dtype format>
bool sends_row_gradients_in(const Plan& plan) {
  return plan.backward_comm_dtype == format;
}

bool keeps_tables_in_16_bits(const Plan& plan) {
  return plan.embedding_dtype == Dtype::fp16 || plan.embedding_dtype == Dtype::bf16;
}

// Assumptions, every number: that a format is risky is common knowledge, how often it ends a
// training nobody has published. What they are chosen for: coarser formats fail more often, common
// practice (bf16 products, rows and their gradients in bf16) never does, and no choice fails so
// often that nobody would try it.
constexpr std::array<NumericRisk, 10> assumed_2026{{
    {"matrix products in fp16", multiplies_in<Dtype::fp16>, 1.0 / 8.0, recipe_of_products,
     "numbers end at 65,504: gradients need a scaled loss, and the scale is a guess"},
    {"matrix products in fp8", multiplies_in<Dtype::fp8>, 1.0 / 4.0, recipe_of_products,
     "2 or 3 bits of mantissa and one scale a tensor; DeepSeek-V3 scaled small tiles and summed in "
     "fp32 to train so"},
    {"matrix products in mxfp8", multiplies_in<Dtype::mxfp8>, 1.0 / 8.0, recipe_of_products,
     "fp8 with a scale for every 32 elements: half the risk of fp8"},
    {"matrix products in nvfp4", multiplies_in<Dtype::nvfp4>, 1.0 / 3.0, recipe_of_products,
     "one bit of mantissa"},
    {"gradients summed in bf16", reduces_in<Dtype::bf16>, 1.0 / 64.0, recipe_of_reductions,
     "8 bits of mantissa: a sum loses what is below 1/256 of it; common all the same"},
    {"gradients summed in fp16", reduces_in<Dtype::fp16>, 1.0 / 32.0, recipe_of_reductions,
     "11 bits of mantissa, but sums of many ranks leave its range"},
    {"tables in 16 bits", keeps_tables_in_16_bits, 1.0 / 16.0, recipe_of_tables,
     "small updates of large weights are rounded away where nothing rounds at random"},
    {"rows sent in fp8", sends_rows_in<Dtype::fp8>, 1.0 / 8.0, recipe_of_rows,
     "as matrix products in mxfp8: quantised once, and read by everything that follows"},
    {"gradients of rows sent in fp16", sends_row_gradients_in<Dtype::fp16>, 1.0 / 32.0,
     recipe_of_row_gradients, "as gradients summed in fp16"},
    {"gradients of rows sent in fp8", sends_row_gradients_in<Dtype::fp8>, 1.0 / 4.0,
     recipe_of_row_gradients, "as matrix products in fp8"},
}};

constexpr NumericModel exact{};
constexpr NumericModel assumed{.risks = assumed_2026};

}  // namespace

const NumericModel* find_numeric_model(std::string_view name) {
  if (name == "none") {
    return &exact;
  }
  return name == "assumed-2026" ? &assumed : nullptr;
}

std::optional<Divergence> divergence(const NumericModel& model, const Plan& plan,
                                     std::uint64_t seed) {
  std::optional<Divergence> first;
  for (std::size_t i = 0; i < model.risks.size(); ++i) {
    const NumericRisk& risk = model.risks[i];
    if (!risk.applies(plan)) continue;
    const RandomWords words = random_words(
        {.seed = seed, .purpose = Purpose::numeric, .entity = i, .draw = risk.recipe(plan)});
    if (unit_interval(words.first) >= risk.probability) continue;
    const double after = unit_interval(words.second);
    if (!first || after < first->after) first = {.after = after, .cause = risk.cause};
  }
  return first;
}

}  // namespace cubicbench::sim
