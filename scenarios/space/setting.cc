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

constexpr std::int64_t gpus_max = 131'072;

constexpr std::array<std::string_view, 10> schedule_names{
    "gpipe", "1f1b",   "interleaved", "zb_h1",    "zb_h2",
    "zb_v",  "v_half", "v_min",       "dualpipe", "dualpipev"};
constexpr std::array<std::string_view, 7> sharding_names{
    "no_shard",   "zero1",        "zero1_hybrid",      "shard_grad_op",
    "full_shard", "hybrid_shard", "hybrid_shard_zero2"};
constexpr std::array<std::string_view, 3> prefetch_names{"none", "post", "pre"};
constexpr std::array<std::string_view, 7> dtype_names{"fp32", "tf32",  "fp16", "bf16",
                                                      "fp8",  "mxfp8", "nvfp4"};
constexpr std::array<std::string_view, 4> optimizer_names{"sgd", "adam", "adamw",
                                                          "rowwise_adagrad"};
constexpr std::array<std::string_view, 4> expert_dispatch_names{"all_to_all", "hierarchical",
                                                                "deepep", "all_gather"};
constexpr std::array<std::string_view, 3> expert_storage_names{"device", "host", "ssd"};
constexpr std::array<std::string_view, 4> offload_names{"none", "optimizer", "activations", "both"};
constexpr std::array<std::string_view, 8> embedding_plan_names{
    "planner",        "table_wise", "row_wise",      "column_wise",
    "table_row_wise", "grid",       "data_parallel", "two_d"};
constexpr std::array<std::string_view, 3> embedding_kernel_names{"fused", "uvm", "uvm_caching"};
constexpr std::array<std::string_view, 3> input_pipeline_names{"none", "prefetch", "pipelined"};

/// `every_K` follows these with code (last named code) + K.
constexpr std::array<std::string_view, 4> recompute_names{"none", "selective", "per_op", "full"};
constexpr std::string_view every_prefix = "every_";
constexpr std::int64_t every_zero = static_cast<std::int64_t>(recompute_names.size()) - 1;
constexpr std::int64_t every_max = 1024;

/// What a code of 1 stands for in a setting of thousandths.
constexpr std::int64_t thousand = 1000;
constexpr std::size_t decimals_max = 3;

static_assert(static_cast<std::size_t>(sim::Schedule::dualpipev) + 1 == schedule_names.size());
static_assert(static_cast<std::size_t>(sim::Sharding::hybrid_shard_zero2) + 1 ==
              sharding_names.size());
static_assert(static_cast<std::size_t>(sim::BackwardPrefetch::pre) + 1 == prefetch_names.size());
static_assert(sim::dtype_count == dtype_names.size());
static_assert(static_cast<std::size_t>(sim::Optimizer::rowwise_adagrad) + 1 ==
              optimizer_names.size());
static_assert(static_cast<std::size_t>(sim::ExpertDispatch::all_gather) + 1 ==
              expert_dispatch_names.size());
static_assert(static_cast<std::size_t>(sim::ExpertStorage::ssd) + 1 == expert_storage_names.size());
static_assert(static_cast<std::size_t>(sim::Offload::both) + 1 == offload_names.size());
static_assert(static_cast<std::size_t>(sim::EmbeddingPlan::two_d) + 1 ==
              embedding_plan_names.size());
static_assert(static_cast<std::size_t>(sim::EmbeddingKernel::uvm_caching) + 1 ==
              embedding_kernel_names.size());
static_assert(static_cast<std::size_t>(sim::InputPipeline::pipelined) + 1 ==
              input_pipeline_names.size());
static_assert(static_cast<std::size_t>(sim::Recompute::every_k) == recompute_names.size());

template <auto member>
void store(Plan& plan, std::int64_t code) {
  plan.*member = static_cast<std::remove_reference_t<decltype(plan.*member)>>(code);
}

template <auto member>
std::int64_t load(const Plan& plan) {
  return static_cast<std::int64_t>(plan.*member);
}

void store_recompute(Plan& plan, std::int64_t code) {
  const bool every = code > every_zero;
  plan.recompute = every ? sim::Recompute::every_k : static_cast<sim::Recompute>(code);
  plan.recompute_every = every ? code - every_zero : 1;
}

std::int64_t load_recompute(const Plan& plan) {
  return plan.recompute == sim::Recompute::every_k ? every_zero + plan.recompute_every
                                                   : static_cast<std::int64_t>(plan.recompute);
}

template <auto member>
constexpr Setting setting(std::string_view name, SettingKind kind, std::int64_t min,
                          std::int64_t max, std::string_view summary,
                          std::span<const std::string_view> choices = {}) {
  return {.name = name,
          .kind = kind,
          .min = min,
          .max = max,
          .choices = choices,
          .apply = store<member>,
          .read = load<member>,
          .summary = summary};
}

template <auto member>
constexpr Setting integer(std::string_view name, std::int64_t min, std::int64_t max,
                          std::string_view summary) {
  return setting<member>(name, SettingKind::integer, min, max, summary);
}

template <auto member>
constexpr Setting boolean(std::string_view name, std::string_view summary) {
  return setting<member>(name, SettingKind::boolean, 0, 1, summary);
}

template <auto member>
constexpr Setting choice(std::string_view name, std::span<const std::string_view> choices,
                         std::string_view summary) {
  const auto last = static_cast<std::int64_t>(choices.size()) - 1;
  return setting<member>(name, SettingKind::choice, 0, last, summary, choices);
}

/// A decimal in [0, max].
template <auto member>
constexpr Setting thousandths(std::string_view name, std::int64_t max, std::string_view summary) {
  return setting<member>(name, SettingKind::thousandths, 0, max * thousand, summary);
}

constexpr Setting of_transformers(Setting setting) {
  setting.of_recommendation = false;
  return setting;
}

constexpr Setting of_experts(Setting setting) {
  setting.of_recommendation = false;
  setting.needs_experts = true;
  return setting;
}

constexpr Setting of_recommendation(Setting setting) {
  setting.of_transformers = false;
  return setting;
}

constexpr std::array<Setting, setting_count> table{
    of_transformers(integer<&Plan::tensor_parallel>("tensor_parallel", 1, 16'384,
                                                    "GPUs that share each layer")),
    of_transformers(boolean<&Plan::sequence_parallel>(
        "sequence_parallel", "split norms and dropout along the sequence")),
    of_transformers(boolean<&Plan::async_tensor_parallel>(
        "async_tensor_parallel", "overlap tensor-parallel communication with GEMMs")),
    of_transformers(
        integer<&Plan::pipeline_parallel>("pipeline_parallel", 1, 1'024, "pipeline stages")),
    of_transformers(choice<&Plan::schedule>("schedule", schedule_names,
                                            "order of micro-batches in the pipeline")),
    of_transformers(integer<&Plan::virtual_stages>("virtual_stages", 1, 1'024,
                                                   "model chunks a pipeline stage")),
    of_transformers(integer<&Plan::context_parallel>("context_parallel", 1, 16'384,
                                                     "GPUs that share each sequence in attention")),
    of_transformers(integer<&Plan::expert_parallel>("expert_parallel", 1, 16'384,
                                                    "GPUs that share the experts")),
    of_experts(integer<&Plan::expert_tensor_parallel>("expert_tensor_parallel", 1, 16'384,
                                                      "GPUs that share each expert")),
    of_experts(choice<&Plan::expert_dispatch>("expert_dispatch", expert_dispatch_names,
                                              "how tokens get to their experts and back")),
    of_experts(boolean<&Plan::expert_overlap>(
        "expert_overlap", "exchange tokens beside another micro-batch's compute")),
    of_experts(choice<&Plan::expert_storage>("expert_storage", expert_storage_names,
                                             "where experts stay while they are not in use")),
    of_experts(thousandths<&Plan::expert_cache_thousandths>(
        "expert_cache_ratio", 1, "share of the experts that host memory caches")),
    of_experts(boolean<&Plan::expert_prefetch>(
        "expert_prefetch", "copy the next layer's experts beside this layer's compute")),
    of_transformers(integer<&Plan::data_parallel>(
        "data_parallel", 1, gpus_max, "model replicas; derived from the GPU count unless given")),
    of_transformers(
        integer<&Plan::global_batch>("global_batch", 1, std::int64_t{1} << 30, "sequences a step")),
    of_transformers(integer<&Plan::micro_batch>("micro_batch", 1, 65'536,
                                                "sequences a micro-batch and data-parallel rank")),
    of_transformers(choice<&Plan::sharding>("sharding", sharding_names,
                                            "what data-parallel ranks hold in parts")),
    integer<&Plan::shard_group>("shard_group", 0, gpus_max,
                                "ranks that share one copy in hybrid modes; 0: those of one node"),
    integer<&Plan::wrap>("wrap", 1, 16'384, "layers an FSDP unit"),
    boolean<&Plan::forward_prefetch>("forward_prefetch",
                                     "gather the next unit before this one's forward pass"),
    choice<&Plan::backward_prefetch>("backward_prefetch", prefetch_names,
                                     "when the next unit is gathered in the backward pass"),
    boolean<&Plan::limit_all_gathers>("limit_all_gathers", "at most two units gathered ahead"),
    setting<&Plan::reshard_after_forward>(
        "reshard_after_forward", SettingKind::boolean_or_integer, 0, gpus_max,
        "free gathered weights after forward, or keep them shared by n ranks"),
    of_transformers(boolean<&Plan::accumulate_without_sync>(
        "accumulate_without_sync", "reduce gradients after the last micro-batch only")),
    choice<&Plan::dtype>("dtype", dtype_names, "precision of matrix multiplications"),
    choice<&Plan::param_dtype>("param_dtype", dtype_names, "precision of gathered weights"),
    choice<&Plan::reduce_dtype>("reduce_dtype", dtype_names, "precision of gradient reduction"),
    choice<&Plan::optimizer>("optimizer", optimizer_names, "optimizer"),
    choice<&Plan::offload>("offload", offload_names, "what is kept in host memory"),
    {.name = "recompute",
     .kind = SettingKind::choice,
     .min = 0,
     .max = every_zero + every_max,
     .choices = recompute_names,
     .apply = store_recompute,
     .read = load_recompute,
     .summary = "activations computed again in the backward pass"},
    boolean<&Plan::compile>("compile", "fuse element-wise kernels"),
    of_recommendation(integer<&Plan::batch_per_gpu>("batch_per_gpu", 1, std::int64_t{1} << 24,
                                                    "samples a GPU and step")),
    of_recommendation(choice<&Plan::embedding_plan>("embedding_plan", embedding_plan_names,
                                                    "how tables are spread over GPUs")),
    of_recommendation(integer<&Plan::embedding_groups>("embedding_groups", 1, gpus_max,
                                                       "copies of all tables, in 2D plans")),
    of_recommendation(integer<&Plan::embedding_sync_interval>(
        "embedding_sync_interval", 1, 1024, "steps between averages of the copies")),
    of_recommendation(choice<&Plan::embedding_kernel>("embedding_kernel", embedding_kernel_names,
                                                      "where rows are kept and looked up")),
    of_recommendation(thousandths<&Plan::embedding_cache_thousandths>(
        "embedding_cache_ratio", 1, "share of the rows that device memory caches")),
    of_recommendation(choice<&Plan::embedding_dtype>("embedding_dtype", dtype_names,
                                                     "precision of stored tables")),
    of_recommendation(choice<&Plan::embedding_optimizer>("embedding_optimizer", optimizer_names,
                                                         "optimizer of the tables")),
    of_recommendation(thousandths<&Plan::embedding_replicate_below_gib_thousandths>(
        "embedding_replicate_below_gib", 1024, "smaller tables are on every GPU")),
    of_recommendation(choice<&Plan::forward_comm_dtype>("forward_comm_dtype", dtype_names,
                                                        "precision of pooled embeddings sent")),
    of_recommendation(choice<&Plan::backward_comm_dtype>("backward_comm_dtype", dtype_names,
                                                         "precision of their gradients sent")),
    of_recommendation(choice<&Plan::input_pipeline>("input_pipeline", input_pipeline_names,
                                                    "what of the next batch's input overlaps")),
    of_recommendation(choice<&Plan::dense_sharding>("dense_sharding", sharding_names,
                                                    "what ranks hold of the dense arch in parts")),
    of_recommendation(choice<&Plan::sequence_sharding>(
        "sequence_sharding", sharding_names, "what ranks hold of the sequence arch in parts")),
    of_recommendation(choice<&Plan::interaction_sharding>(
        "interaction_sharding", sharding_names, "what ranks hold of the interaction in parts")),
    of_recommendation(choice<&Plan::over_sharding>("over_sharding", sharding_names,
                                                   "what ranks hold of the over arch in parts")),
};

constexpr auto names = [] {
  std::array<std::string_view, setting_count> all;
  std::ranges::transform(table, all.begin(), &Setting::name);
  return all;
}();

bool in_range(const Setting& setting, std::int64_t code) {
  return code >= setting.min && code <= setting.max;
}

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
  const std::string_view places = text.substr(point + 1);
  if (places.empty() || places.size() > decimals_max) return std::nullopt;
  std::int64_t rest = 0;
  for (std::size_t i = 0; i < decimals_max; ++i) {
    const char digit = i < places.size() ? places[i] : '0';
    if (!support::is_digit(digit)) return std::nullopt;
    rest = 10 * rest + (digit - '0');
  }
  return *whole * thousand + rest;
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
  for (std::size_t i = 0; i < setting.choices.size(); ++i) {
    if (setting.choices[i] == text) return static_cast<std::int64_t>(i);
  }
  if (!is_open_ended(setting) || !text.starts_with(every_prefix)) return std::nullopt;
  const auto every = parse_decimal(text.substr(every_prefix.size()));
  if (!every || *every < 1 || *every > every_max) return std::nullopt;
  return every_zero + *every;
}

std::optional<std::int64_t> checked(const Setting& setting, std::optional<std::int64_t> value) {
  return value && in_range(setting, *value) ? value : std::nullopt;
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

bool is_boolean_code(const Setting& setting, std::int64_t code) {
  return setting.kind == SettingKind::boolean ||
         (setting.kind == SettingKind::boolean_or_integer && code < 2);
}

std::string expected_choice(const Setting& setting) {
  const std::string text = support::expected_choice(setting.choices);
  if (!is_open_ended(setting)) return text;
  return text + ", every_K with K in [1, " + std::to_string(every_max) + "]";
}

}  // namespace

std::span<const Setting> settings() { return table; }

std::span<const std::string_view> setting_names() { return names; }

const Setting* find_setting(std::string_view name) {
  const auto* const found = std::ranges::find(table, name, &Setting::name);
  return found == table.end() ? nullptr : found;
}

bool belongs(const Setting& setting, WorkloadKind kind) {
  switch (kind) {
    case WorkloadKind::transformer:
      return setting.of_transformers && !setting.needs_experts;
    case WorkloadKind::mixture_of_experts:
      return setting.of_transformers;
    case WorkloadKind::recommendation:
      break;
  }
  return setting.of_recommendation;
}

std::vector<std::string_view> setting_names(WorkloadKind kind) {
  std::vector<std::string_view> of_kind;
  for (const Setting& setting : table) {
    if (belongs(setting, kind)) of_kind.push_back(setting.name);
  }
  return of_kind;
}

std::string misplaced(const Setting& setting, WorkloadKind kind) {
  const std::string owner = setting.needs_experts     ? "mixtures of experts"
                            : setting.of_transformers ? "transformers"
                                                      : "recommendation models";
  return "setting of " + owner + "; this scenario trains " + std::string(phrase_of(kind));
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
  return checked_integer(setting, integer_in(value));
}

std::string format_setting(const Setting& setting, std::int64_t code) {
  if (setting.kind == SettingKind::thousandths) return support::shortest(decimal_of(code));
  if (is_boolean_code(setting, code)) return code == 0 ? "false" : "true";
  if (setting.kind != SettingKind::choice) return std::to_string(code);
  const auto position = static_cast<std::size_t>(code);
  if (position < setting.choices.size()) return std::string(setting.choices[position]);
  return std::string(every_prefix) + std::to_string(code - every_zero);
}

nlohmann::ordered_json json_of(const Setting& setting, std::int64_t code) {
  if (is_boolean_code(setting, code)) return code != 0;
  if (setting.kind == SettingKind::thousandths && code % thousand != 0) return decimal_of(code);
  if (setting.kind == SettingKind::thousandths) return code / thousand;
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
  }
  return {};
}

}  // namespace cubicbench::scenarios
