#pragma once

#include "datasets/logs/log_settings.h"

namespace cubicbench::datasets {

/// States the sharding that DeepSpeed's stage of ZeRO is: 0 none, 1 optimizer states, 2 gradients
/// too, 3 parameters too. Where no setting says it, nothing.
void state_zero_stage(const LogSettings& settings, LogRecorder& out);

/// States batch, replicas, precision and sharding of DeepSpeed's configuration.
void state_deepspeed_settings(const LogSettings& settings, LogRecorder& out);

}  // namespace cubicbench::datasets
