#include "scenarios/space/setting.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "support/characters.h"
#include "support/json/canonical.h"
#include "support/json/object_reader.h"
#include "support/parsed.h"

namespace cubicbench::scenarios {
namespace {

using sim::Plan;
using enum SettingOwner;

constexpr std::int64_t gpus_max = 131'072;

/// The names of an enumeration's values, in their order, whose last is `last`.
template <auto last, typename... Names>
constexpr std::array<std::string_view, sizeof...(Names)> names_to(const Names&... names) {
  static_assert(sizeof...(Names) == static_cast<std::size_t>(last) + 1);
  return {names...};
}

constexpr auto schedule_names =
    names_to<sim::Schedule::dualpipev>("gpipe", "1f1b", "interleaved", "zb_h1", "zb_h2", "zb_v",
                                       "v_half", "v_min", "dualpipe", "dualpipev");
constexpr auto sharding_names = names_to<sim::Sharding::hybrid_shard_zero2>(
    "no_shard", "zero1", "zero1_hybrid", "shard_grad_op", "full_shard", "hybrid_shard",
    "hybrid_shard_zero2");
constexpr auto prefetch_names = names_to<sim::BackwardPrefetch::pre>("none", "post", "pre");
constexpr auto dtype_names =
    names_to<sim::Dtype::nvfp4>("fp32", "tf32", "fp16", "bf16", "fp8", "mxfp8", "nvfp4");
constexpr auto optimizer_names =
    names_to<sim::Optimizer::muon>("sgd", "adam", "adamw", "rowwise_adagrad", "adam_8bit", "muon");
constexpr auto expert_dispatch_names =
    names_to<sim::ExpertDispatch::all_gather>("all_to_all", "hierarchical", "deepep", "all_gather");
constexpr auto expert_storage_names = names_to<sim::ExpertStorage::ssd>("device", "host", "ssd");
constexpr auto context_exchange_names =
    names_to<sim::ContextPlan::p2p>("stack", "all_gather", "p2p");
constexpr auto offload_names =
    names_to<sim::Offload::both>("none", "optimizer", "activations", "both");
constexpr auto embedding_plan_names =
    names_to<sim::EmbeddingPlan::two_d>("planner", "table_wise", "row_wise", "column_wise",
                                        "table_row_wise", "grid", "data_parallel", "two_d");
constexpr auto embedding_kernel_names =
    names_to<sim::EmbeddingKernel::uvm_caching>("fused", "uvm", "uvm_caching");
constexpr auto input_pipeline_names =
    names_to<sim::InputPipeline::pipelined>("none", "prefetch", "pipelined");

/// `every_K` follows these with code (last of them) + K, then the policies by module.
constexpr std::array<std::string_view, 4> recompute_names{"none", "selective", "per_op", "full"};
constexpr std::string_view every_prefix = "every_";
constexpr std::int64_t every_zero = static_cast<std::int64_t>(recompute_names.size()) - 1;
constexpr std::int64_t every_max = 1024;
constexpr std::array<std::string_view, 3> module_names{"layernorm", "moe_act", "mlp"};
constexpr std::int64_t modules_begin = every_zero + every_max + 1;

/// What a code of 1 stands for in a setting of thousandths.
constexpr std::int64_t thousand = 1000;
constexpr std::size_t decimals_max = 3;

constexpr auto every_k = static_cast<std::int64_t>(sim::Recompute::every_k);
static_assert(every_k == std::int64_t{recompute_names.size()});
static_assert(static_cast<std::int64_t>(sim::Recompute::mlp) ==
              every_k + std::int64_t{module_names.size()});

template <auto member>
void store(Plan& plan, std::int64_t code) {
  plan.*member = static_cast<std::remove_reference_t<decltype(plan.*member)>>(code);
}

template <auto member>
std::int64_t load(const Plan& plan) {
  return static_cast<std::int64_t>(plan.*member);
}

void store_recompute(Plan& plan, std::int64_t code) {
  const bool by_module = code >= modules_begin;
  const bool every = code > every_zero && !by_module;
  const std::int64_t policy = by_module ? code - modules_begin + every_k + 1 : code;
  plan.recompute = static_cast<sim::Recompute>(every ? every_k : policy);
  plan.recompute_every = every ? code - every_zero : 1;
}

std::int64_t load_recompute(const Plan& plan) {
  const auto policy = static_cast<std::int64_t>(plan.recompute);
  if (policy == every_k) return every_zero + plan.recompute_every;
  return policy > every_k ? modules_begin + policy - every_k - 1 : policy;
}

template <auto member>
constexpr Setting setting(std::string_view name, SettingOwner owner, SettingKind kind,
                          std::int64_t min, std::int64_t max,
                          std::span<const std::string_view> choices = {}) {
  return {.name = name,
          .owner = owner,
          .kind = kind,
          .min = min,
          .max = max,
          .choices = choices,
          .apply = store<member>,
          .read = load<member>};
}

template <auto member>
constexpr Setting integer(std::string_view name, SettingOwner owner, std::int64_t min,
                          std::int64_t max) {
  return setting<member>(name, owner, SettingKind::integer, min, max);
}

template <auto member>
constexpr Setting boolean(std::string_view name, SettingOwner owner) {
  return setting<member>(name, owner, SettingKind::boolean, 0, 1);
}

template <auto member>
constexpr Setting choice(std::string_view name, SettingOwner owner,
                         std::span<const std::string_view> choices) {
  const auto last = static_cast<std::int64_t>(choices.size()) - 1;
  return setting<member>(name, owner, SettingKind::choice, 0, last, choices);
}

/// A decimal in [0, max].
template <auto member>
constexpr Setting thousandths(std::string_view name, SettingOwner owner, std::int64_t max) {
  return setting<member>(name, owner, SettingKind::thousandths, 0, max * thousand);
}

constexpr std::array<Setting, setting_count> table{
    integer<&Plan::gpus>("gpus", transformers, 1, gpus_max),
    integer<&Plan::tensor_parallel>("tensor_parallel", transformers, 1, 16'384),
    boolean<&Plan::sequence_parallel>("sequence_parallel", transformers),
    boolean<&Plan::async_tensor_parallel>("async_tensor_parallel", transformers),
    integer<&Plan::pipeline_parallel>("pipeline_parallel", transformers, 1, 1'024),
    choice<&Plan::schedule>("schedule", transformers, schedule_names),
    integer<&Plan::virtual_stages>("virtual_stages", transformers, 1, 1'024),
    integer<&Plan::context_parallel>("context_parallel", transformers, 1, 16'384),
    integer<&Plan::ulysses_degree>("ulysses_degree", transformers, 1, 16'384),
    choice<&Plan::context_exchange>("context_exchange", transformers, context_exchange_names),
    boolean<&Plan::context_load_balance>("context_load_balance", transformers),
    integer<&Plan::expert_parallel>("expert_parallel", transformers, 1, 16'384),
    integer<&Plan::expert_tensor_parallel>("expert_tensor_parallel", experts, 1, 16'384),
    choice<&Plan::expert_dispatch>("expert_dispatch", experts, expert_dispatch_names),
    boolean<&Plan::expert_overlap>("expert_overlap", experts),
    choice<&Plan::expert_storage>("expert_storage", experts, expert_storage_names),
    thousandths<&Plan::expert_cache_thousandths>("expert_cache_ratio", experts, 1),
    boolean<&Plan::expert_prefetch>("expert_prefetch", experts),
    integer<&Plan::data_parallel>("data_parallel", transformers, 1, gpus_max),
    integer<&Plan::global_batch>("global_batch", transformers, 1, std::int64_t{1} << 30),
    integer<&Plan::micro_batch>("micro_batch", transformers, 1, 65'536),
    choice<&Plan::sharding>("sharding", transformers, sharding_names),
    integer<&Plan::shard_group>("shard_group", all, 0, gpus_max),
    integer<&Plan::wrap>("wrap", all, 1, 16'384),
    boolean<&Plan::forward_prefetch>("forward_prefetch", all),
    choice<&Plan::backward_prefetch>("backward_prefetch", all, prefetch_names),
    boolean<&Plan::limit_all_gathers>("limit_all_gathers", all),
    setting<&Plan::reshard_after_forward>("reshard_after_forward", all,
                                          SettingKind::boolean_or_integer, 0, gpus_max),
    boolean<&Plan::accumulate_without_sync>("accumulate_without_sync", transformers),
    choice<&Plan::dtype>("dtype", all, dtype_names),
    choice<&Plan::param_dtype>("param_dtype", all, dtype_names),
    choice<&Plan::reduce_dtype>("reduce_dtype", all, dtype_names),
    choice<&Plan::optimizer>("optimizer", all, optimizer_names),
    choice<&Plan::offload>("offload", all, offload_names),
    {.name = "recompute",
     .owner = all,
     .kind = SettingKind::choice,
     .min = 0,
     .max = modules_begin + std::int64_t{module_names.size()} - 1,
     .choices = recompute_names,
     .later_choices = module_names,
     .apply = store_recompute,
     .read = load_recompute},
    boolean<&Plan::compile>("compile", all),
    boolean<&Plan::quantize_base>("quantize_base", transformers),
    integer<&Plan::batch_per_gpu>("batch_per_gpu", recommendation, 1, std::int64_t{1} << 24),
    choice<&Plan::embedding_plan>("embedding_plan", recommendation, embedding_plan_names),
    integer<&Plan::embedding_groups>("embedding_groups", recommendation, 1, gpus_max),
    integer<&Plan::embedding_sync_interval>("embedding_sync_interval", recommendation, 1, 1024),
    choice<&Plan::embedding_kernel>("embedding_kernel", recommendation, embedding_kernel_names),
    thousandths<&Plan::embedding_cache_thousandths>("embedding_cache_ratio", recommendation, 1),
    choice<&Plan::embedding_dtype>("embedding_dtype", recommendation, dtype_names),
    choice<&Plan::embedding_optimizer>("embedding_optimizer", recommendation, optimizer_names),
    thousandths<&Plan::embedding_replicate_below_gib_thousandths>("embedding_replicate_below_gib",
                                                                  recommendation, 1024),
    choice<&Plan::forward_comm_dtype>("forward_comm_dtype", recommendation, dtype_names),
    choice<&Plan::backward_comm_dtype>("backward_comm_dtype", recommendation, dtype_names),
    boolean<&Plan::index_dedup>("index_dedup", recommendation),
    choice<&Plan::input_pipeline>("input_pipeline", recommendation, input_pipeline_names),
    boolean<&Plan::length_balancing>("length_balancing", recommendation),
    choice<&Plan::dense_sharding>("dense_sharding", recommendation, sharding_names),
    choice<&Plan::sequence_sharding>("sequence_sharding", recommendation, sharding_names),
    choice<&Plan::interaction_sharding>("interaction_sharding", recommendation, sharding_names),
    choice<&Plan::over_sharding>("over_sharding", recommendation, sharding_names),
};

constexpr auto names = [] {
  std::array<std::string_view, setting_count> in_order;
  std::ranges::transform(table, in_order.begin(), &Setting::name);
  return in_order;
}();

/// A decimal without sign, white space or leading zeros.
std::optional<std::int64_t> parse_decimal(std::string_view text) {
  const bool leading_zero = text.size() > 1 && text.front() == '0';
  if (leading_zero || text.starts_with('-')) return std::nullopt;
  return support::parsed<std::int64_t>(text);
}

/// A decimal with at most three places, as thousandths.
std::optional<std::int64_t> parse_thousandths(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto whole = parse_decimal(text.substr(0, point));
  if (!whole || *whole > std::numeric_limits<std::int64_t>::max() / thousand - 1) {
    return std::nullopt;
  }
  if (point == std::string_view::npos) return *whole * thousand;
  std::string places(text.substr(point + 1));
  if (places.empty() || places.size() > decimals_max) return std::nullopt;
  if (!std::ranges::all_of(places, support::is_digit)) return std::nullopt;
  places.resize(decimals_max, '0');
  return *whole * thousand + *support::parsed<std::int64_t>(places);
}

std::optional<std::int64_t> parse_boolean(std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  return std::nullopt;
}

bool is_open_ended(const Setting& setting) {
  return setting.kind == SettingKind::choice &&
         setting.max >= static_cast<std::int64_t>(setting.choices.size());
}

std::optional<std::int64_t> parse_choice(const Setting& setting, std::string_view text) {
  const auto found = std::ranges::find(setting.choices, text);
  if (found != setting.choices.end()) return found - setting.choices.begin();
  const auto later = std::ranges::find(setting.later_choices, text);
  if (later != setting.later_choices.end()) {
    return modules_begin + (later - setting.later_choices.begin());
  }
  if (!is_open_ended(setting) || !text.starts_with(every_prefix)) return std::nullopt;
  const auto every = parse_decimal(text.substr(every_prefix.size()));
  if (!every || *every < 1 || *every > every_max) return std::nullopt;
  return every_zero + *every;
}

std::optional<std::int64_t> checked(const Setting& setting, std::optional<std::int64_t> value) {
  return value && *value >= setting.min && *value <= setting.max ? value : std::nullopt;
}

/// The integers that stand for themselves: 0 and 1 are `false` and `true` elsewhere.
std::optional<std::int64_t> checked_integer(const Setting& setting,
                                            std::optional<std::int64_t> value) {
  if (setting.kind == SettingKind::boolean_or_integer && value && *value < 2) return std::nullopt;
  return checked(setting, value);
}

std::optional<std::int64_t> integer_in(const nlohmann::ordered_json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (!value.is_number_unsigned()) return value.get<std::int64_t>();
  const auto number = value.get<std::uint64_t>();
  if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(number);
}

double decimal_of(std::int64_t code) {
  return static_cast<double>(code) / static_cast<double>(thousand);
}

/// The code of a JSON number. A quotient is the double nearest to its decimal form, which is also
/// what reading that form gives, so comparing for equality is exact.
std::optional<std::int64_t> thousandths_in(const Setting& setting,
                                           const nlohmann::ordered_json& value) {
  if (!value.is_number()) return std::nullopt;
  const double number = value.get<double>();
  if (number < decimal_of(setting.min) || number > decimal_of(setting.max)) return std::nullopt;
  const auto code = static_cast<std::int64_t>(number * static_cast<double>(thousand) + 0.5);
  return decimal_of(code) == number ? std::optional(code) : std::nullopt;
}

/// As JSON has it: an integer without a point, where the number is one that a double can count to.
nlohmann::ordered_json number_json(double number) {
  constexpr double whole_max = 9'007'199'254'740'992.0;
  const bool is_whole = number >= -whole_max && number <= whole_max &&
                        static_cast<double>(static_cast<std::int64_t>(number)) == number;
  if (is_whole) return static_cast<std::int64_t>(number);
  return number;
}

/// The code of one of the numbers.
std::optional<std::int64_t> number_in(const Setting& setting, double number) {
  const auto found = std::ranges::lower_bound(setting.numbers, number);
  const bool is_one = found != setting.numbers.end() && *found == number;
  return is_one ? std::optional(found - setting.numbers.begin()) : std::nullopt;
}

std::string expected_number(const Setting& setting) {
  const auto values = setting.numbers.size();
  if (values == 1) return format_setting(setting, 0);
  return "one of " + std::to_string(values) + " numbers in [" + format_setting(setting, 0) + ", " +
         format_setting(setting, setting.max) + "]";
}

bool is_boolean_code(const Setting& setting, std::int64_t code) {
  return setting.kind == SettingKind::boolean ||
         (setting.kind == SettingKind::boolean_or_integer && code < 2);
}

std::string expected_choice(const Setting& setting) {
  std::string text = support::expected_choice(setting.choices);
  if (!is_open_ended(setting)) return text;
  text += ", every_K with K in [1, " + std::to_string(every_max) + "]";
  for (const std::string_view name : setting.later_choices) text.append(", ").append(name);
  return text;
}

}  // namespace

std::span<const Setting> settings() { return table; }

std::span<const std::string_view> setting_names() { return names; }

const Setting* find_setting(std::string_view name) {
  const auto* const found = std::ranges::find(table, name, &Setting::name);
  return found == table.end() ? nullptr : found;
}

std::string_view name_of(SettingOwner owner) {
  constexpr std::array<std::string_view, setting_owners.size()> owners{
      "all models", "transformers", "mixtures of experts", "recommendation models"};
  return owners[static_cast<std::size_t>(owner)];
}

bool belongs(const Setting& setting, WorkloadKind kind) {
  if (setting.owner == experts) return kind == WorkloadKind::mixture_of_experts;
  return setting.owner == all || (setting.owner == transformers) == is_transformer(kind);
}

std::vector<std::string_view> setting_names(WorkloadKind kind) {
  std::vector<std::string_view> of_kind;
  for (const Setting& setting : table) {
    if (belongs(setting, kind)) of_kind.push_back(setting.name);
  }
  return of_kind;
}

std::string misplaced(const Setting& setting, WorkloadKind kind) {
  return "setting of " + std::string(name_of(setting.owner)) + "; this scenario trains " +
         std::string(phrase_of(kind));
}

std::size_t index_of(const Setting& setting) {
  return static_cast<std::size_t>(&setting - table.data());
}

std::optional<std::int64_t> parse_setting(const Setting& setting, std::string_view text) {
  switch (setting.kind) {
    case SettingKind::integer:
      return checked_integer(setting, parse_decimal(text));
    case SettingKind::boolean:
      return parse_boolean(text);
    case SettingKind::choice:
      return parse_choice(setting, text);
    case SettingKind::boolean_or_integer:
      if (const auto flag = parse_boolean(text)) return flag;
      return checked_integer(setting, parse_decimal(text));
    case SettingKind::thousandths:
      return checked(setting, parse_thousandths(text));
    case SettingKind::number:
      if (const auto number = support::parsed<double>(text)) return number_in(setting, *number);
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::int64_t> code_of(const Setting& setting, const nlohmann::ordered_json& value) {
  const bool may_be_boolean =
      setting.kind == SettingKind::boolean || setting.kind == SettingKind::boolean_or_integer;
  if (value.is_boolean()) {
    if (!may_be_boolean) return std::nullopt;
    return value.get<bool>() ? 1 : 0;
  }
  if (value.is_string()) {
    if (setting.kind != SettingKind::choice) return std::nullopt;
    return parse_choice(setting, value.get_ref<const std::string&>());
  }
  if (setting.kind == SettingKind::boolean || setting.kind == SettingKind::choice) {
    return std::nullopt;
  }
  if (setting.kind == SettingKind::thousandths) return thousandths_in(setting, value);
  if (setting.kind == SettingKind::number) {
    return value.is_number() ? number_in(setting, value.get<double>()) : std::nullopt;
  }
  return checked_integer(setting, integer_in(value));
}

std::string format_setting(const Setting& setting, std::int64_t code) {
  if (setting.kind == SettingKind::thousandths) return support::shortest(decimal_of(code));
  if (setting.kind == SettingKind::number) return json_of(setting, code).dump();
  if (is_boolean_code(setting, code)) return code == 0 ? "false" : "true";
  if (setting.kind != SettingKind::choice) return std::to_string(code);
  const auto position = static_cast<std::size_t>(code);
  if (position < setting.choices.size()) return std::string(setting.choices[position]);
  if (code >= modules_begin) {
    return std::string(setting.later_choices[static_cast<std::size_t>(code - modules_begin)]);
  }
  return std::string(every_prefix) + std::to_string(code - every_zero);
}

nlohmann::ordered_json json_of(const Setting& setting, std::int64_t code) {
  if (is_boolean_code(setting, code)) return code != 0;
  if (setting.kind == SettingKind::thousandths && code % thousand != 0) return decimal_of(code);
  if (setting.kind == SettingKind::thousandths) return code / thousand;
  if (setting.kind == SettingKind::number) {
    return number_json(setting.numbers[static_cast<std::size_t>(code)]);
  }
  if (setting.kind != SettingKind::choice) return code;
  return format_setting(setting, code);
}

std::string expected(const Setting& setting) {
  switch (setting.kind) {
    case SettingKind::integer:
      return support::expected_integer(setting.min, setting.max);
    case SettingKind::boolean:
      return "true or false";
    case SettingKind::choice:
      return expected_choice(setting);
    case SettingKind::boolean_or_integer:
      return "true, false or " + support::expected_integer(2, setting.max);
    case SettingKind::thousandths:
      return "a number in [" + format_setting(setting, setting.min) + ", " +
             format_setting(setting, setting.max) + "] with at most three decimals";
    case SettingKind::number:
      return expected_number(setting);
  }
  return {};
}

}  // namespace cubicbench::scenarios
