#pragma once

#include <string_view>

#include "datasets/logs/log_recorder.h"

namespace cubicbench::datasets {

/// Which of Megatron-LM's records a line is: those of its forks have columns of their own.
enum class MegatronRecord {
  none,
  plain_2020,   ///< no `consumed samples`
  plain_2021,   ///< `consumed samples`, no throughput
  neox,         ///< begins with `samples/sec`
  deepspeed,    ///< `samples per second` and `TFLOPs` at the end; `(s)` or `(ms)`
  throughput,   ///< `throughput per GPU (TFLOP/s/GPU)`, since late 2023
  primus_2025,  ///< two numbers a column, the step's and the mean: `5444.9/5460.1`
  primus_2026,  ///< `compute per GPU` in place of `throughput per GPU`, harmonic means
};

/// Reads ` iteration 43/ 100 | .. | elapsed time per iteration (ms): 5444.9 | .. |`, the record of
/// Megatron-LM and of what is built on it. A record that was cut off is named and not used.
MegatronRecord read_megatron_record(std::string_view text, std::size_t line, LogRecorder& out);

/// Reads `[Rank 0] (after 2 iterations) memory (MB) | allocated: .. | max allocated: .. | ..`, MB
/// being 2^20 bytes, and Megatron-Bridge's `mem-max-allocated-gigabytes`, 10^9 bytes. Several may
/// stand in one line. Was there one?
bool read_megatron_memory(std::string_view text, std::size_t line, LogRecorder& out);

/// Lines that say that training pauses: evaluation and checkpoints.
bool is_megatron_pause(std::string_view text);

/// Does a line say that a device ran out of memory, in PyTorch's words or XLA's?
bool says_out_of_memory(std::string_view text);

}  // namespace cubicbench::datasets
