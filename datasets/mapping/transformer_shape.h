#pragma once

#include <optional>
#include <string>

#include "datasets/mapping/assumed_names.h"
#include "datasets/mapping/model_catalog.h"
#include "datasets/mapping/stack_defaults.h"
#include "datasets/tables/measurement.h"
#include "sim/workload/transformer.h"

namespace cubicbench::datasets {

/// The model of a row, or why it is not known.
struct TransformerShape {
  std::optional<sim::Transformer> model;
  std::string reason;  ///< empty when there is a model
};

/// Reads the shape columns; an empty one takes, in this order, the family's published size that the
/// model's name has, what follows from the family's rules and the stated parameter count, and the
/// stack's default:
///
///   heads         those next to 128 wide, a multiple of 8 where one divides the width
///   head size     of the size or the family, else h / heads; it has no column
///   layers        (P - V h) / (4 h^2 + 2 or 3 h f), the next multiple of the pipeline stages
///   gated, tied   of the family; of a model that the catalogue does not know (`family` is null)
///                 what meets P best, or without P a plain FFN of width 4 h, else gated, untied
///
/// P n_params_b x 10^9, V vocabulary, h width, f FFN width. Filled-in columns go to `assumed`.
TransformerShape transformer_shape(const Measurement& row, const ModelFamily* family,
                                   const ChosenStack& stack, AssumedNames& assumed);

/// The number of heads that transformer_shape() takes for a width; nothing for odd widths.
std::optional<std::int64_t> usual_heads(std::int64_t hidden);

}  // namespace cubicbench::datasets
