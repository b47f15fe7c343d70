#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/catalog.h"
#include "sim/hardware/device.h"
#include "sim/hardware/stack.h"
#include "support/input_error.h"

namespace cubicbench::scenarios {

/// What the JSON files of hardware/ and stacks/ say: schema `cubicbench.device/1` and
/// `cubicbench.stack/1`. Each number that a file gives needs an entry of
/// the same key in its `sources`. Every problem is added to `problems`; the value returned is
/// then not to be used. Throws InputError only for a text that is no JSON document.
sim::Device read_device(const Document& document, std::vector<support::Problem>& problems);
sim::Stack read_stack(const Document& document, std::vector<support::Problem>& problems);

/// Reports a `name` that holds other characters than a-z, 0-9, '.' and '-': it names files.
void check_name(const std::string& name, const std::string& where,
                std::vector<support::Problem>& problems);

/// "fp32", ..., "nvfp4", in the order of sim::Dtype.
std::span<const std::string_view> dtype_names();
/// "unfused", ..., in the order of sim::AttentionKernel.
std::span<const std::string_view> attention_kernel_names();
/// "even", "ends_short", "by_cost", in the order of sim::StageBalance.
std::span<const std::string_view> stage_balance_names();
/// "all_gather", "ring", in the order of sim::ContextExchange.
std::span<const std::string_view> context_exchange_names();

}  // namespace cubicbench::scenarios
