#pragma once

#include "datasets/logs/log_settings.h"

namespace cubicbench::datasets {

/// States the layout, model and precision that settings with the names of Megatron-Core say:
/// Megatron-LM's arguments, the YAML of Megatron-Bridge and of NeMo.
void state_megatron_settings(const LogSettings& settings, LogRecorder& out);

/// States what Megatron says of its groups and batches while it starts: `using world size: 16,
/// data-parallel size: 2, ..`, `padded vocab (size: ..) .. (new size: 50688)`, `setting number of
/// micro-batches to constant 16`.
void read_megatron_start(std::string_view text, std::size_t line, LogRecorder& out);

}  // namespace cubicbench::datasets
