#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// One way in which low precision may end a training: where it applies, the loss becomes infinite
/// or no number with a probability that nobody has published and that is assumed here.
struct NumericRisk {
  std::string_view cause;        ///< "matrix products in fp8": completes "diverges with ..."
  bool (*applies)(const Plan&);  ///< to a plan
  double probability = 0.0;      ///< of a recipe to which it applies
  std::string_view reason;       ///< what motivates the assumption
};

/// The settings that decide, as one number: the formats of products, weights, sums of gradients,
/// tables, rows and their gradients on the wire, and both optimizers. Plans that agree in them
/// share their fate, whatever else they differ in.
std::uint32_t precision_recipe(const Plan& plan);

/// What a scenario's `truth.numeric` names: risks in an order that never changes, as the row is the
/// `entity` of its random numbers.
struct NumericModel {
  std::span<const NumericRisk> risks;
};

/// "none" (no risks) or "assumed-2026"; nullptr for any other name.
const NumericModel* find_numeric_model(std::string_view name);

/// That a plan's training diverges.
struct Divergence {
  double after = 0.0;      ///< share of the job's steps that are done when it shows, in [0, 1)
  std::string_view cause;  ///< of the risk that shows first
};

/// Whether the training of `plan` diverges: of the risks that apply each takes the plan's recipe
/// with its probability, and shows after a share of the steps that is uniform. A pure function of
/// (model, recipe, seed): a fixed property of (scenario, instance, configuration)
/// [docs/models.md, Eq. J-8]. Allocates nothing.
std::optional<Divergence> divergence(const NumericModel& model, const Plan& plan,
                                     std::uint64_t seed);

}  // namespace cubicbench::sim
