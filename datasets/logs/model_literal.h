#pragma once

#include <string_view>

#include "datasets/logs/log_settings.h"

namespace cubicbench::datasets {

/// States the shape of a decoder from the settings of its Python configuration: torchtitan's
/// `TransformerModelArgs(dim=..)` and configurations with names of Hugging Face. `text` is a
/// literal as literal_settings() reads it.
void state_model_literal(std::string_view text, std::size_t line, LogRecorder& out);

}  // namespace cubicbench::datasets
