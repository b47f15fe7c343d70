#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "datasets/mapping/assumed_names.h"
#include "datasets/mapping/model_catalog.h"
#include "datasets/mapping/stack_defaults.h"
#include "datasets/tables/measurement.h"
#include "sim/workload/transformer.h"

namespace cubicbench::datasets {

/// Which layers have experts.
struct ExpertLayers {
  std::int64_t first_dense = 0;
  std::int64_t period = 1;
};

/// What `NAME=VALUE` in the notes of a run says, up to the next space; "" where the name does not
/// stand there. Megatron's options are told so: "moe-grouped-gemm=True mtp-num-layers=1".
std::string_view flag_in(std::string_view notes, std::string_view name);

/// Nothing where it is no whole number.
std::optional<std::int64_t> count_flag_in(std::string_view notes, std::string_view name);

/// `moe-layer-freq`: a period, or a list such as ([0]*3+[1]*11): the first three layers are dense.
/// Nothing of other lists.
std::optional<ExpertLayers> expert_layers_in(std::string_view notes);

/// Does a row, or else the catalogue or the model's name, say that its layers choose among experts?
/// A stated single expert is a dense model. Names that say so: "8x22B", "30B-A3B", "OLMoE".
bool is_mixture(const Measurement& row, const ModelFamily* family);

/// Gives `model`, which has the shape of the columns, experts, latent attention and prediction
/// layers. In this order: the row's columns; Megatron's options in its notes; what the stack says
/// of its runs; the published size or family.
///
///   width of an expert   `moe-ffn-hidden-size`; `d_ff` unless that is the published width of dense
///                        layers; else the published one. Of a model that is not published, with
///                        dense layers and a shared expert in its notes, the shared one's: `d_ff`
///                        is then the dense layers'
///   layers with experts  `moe-layer-freq`, else as published, else all
///
/// Returns why that is not known, "" where it is.
std::string fill_mixture(const Measurement& row, const ModelFamily* family, const ModelSize* size,
                         const ChosenStack& stack, AssumedNames& assumed, sim::Transformer& model);

}  // namespace cubicbench::datasets
