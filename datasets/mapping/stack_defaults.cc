#include "datasets/mapping/stack_defaults.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "datasets/mapping/measured_json.h"
#include "datasets/mapping/text_match.h"
#include "datasets/tables/measurement_schema.h"
#include "scenarios/readers/description_reader.h"
#include "scenarios/space/setting.h"
#include "sim/base/check.h"
#include "support/json/canonical.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;
using support::ValueReader;

constexpr std::string_view schema = "cubicbench.stack_defaults/1";
constexpr std::array<std::string_view, 5> shapes{"expert_capacity", "load_deviation",
                                                 "first_dense_layers", "prediction_layers",
                                                 "experts_beside_data"};
Default read_default(ObjectReader& in) {
  Default read{.name = non_empty(in, "name"), .value = cell_value(in, "value")};
  non_empty(in, "why");
  return read;
}

Default read_column(ObjectReader& in) {
  Default column = read_default(in);
  if (!column.name.empty() && find_measurement_column(column.name) == nullptr) {
    in.problem("name", "expected a column of the measurement schema, got \"" + column.name + "\"");
  }
  return column;
}

Default read_setting(ObjectReader& in) {
  Default read = read_default(in);
  const scenarios::Setting* const setting = scenarios::find_setting(read.name);
  if (setting == nullptr) {
    if (!read.name.empty()) in.problem("name", "expected a setting, got \"" + read.name + "\"");
  } else if (!scenarios::parse_setting(*setting, read.value) && !read.value.empty()) {
    in.problem("value",
               "expected " + scenarios::expected(*setting) + ", got \"" + read.value + "\"");
  }
  return read;
}

StatedValue read_value(ObjectReader& in) {
  return {.column = non_empty(in, "column"),
          .stated = non_empty(in, "stated"),
          .is = non_empty(in, "is")};
}

Default read_shape(ObjectReader& in) {
  return {.name = std::string(shapes[in.one_of("name", shapes)]),
          .value = support::shortest(in.number("value", 0.0, 1e9))};
}

DefaultSet read_defaults(ObjectReader& in) {
  return {.columns = read_each(in.optional_array("columns"), read_column),
          .settings = read_each(in.optional_array("settings"), read_setting),
          .values = read_rules(in.optional_array("values"), read_value),
          .shape = read_rules(in.optional_array("shape"), read_shape)};
}

StackException read_exception(ObjectReader& in) {
  return {.when = read_conditions(in, "when"),
          .mixtures_only = in.boolean("mixtures_only", false),
          .simulated_by = in.string("simulated_by", ""),
          .defaults = read_defaults(in)};
}

/// Texts of an array, none of them empty.
std::vector<std::string> read_texts(const std::vector<ValueReader>& entries) {
  std::vector<std::string> texts;
  for (const ValueReader& entry : entries) {
    texts.push_back(entry.string());
    if (entry.raw() != nullptr && entry.raw()->is_string() && texts.back().empty()) {
      entry.problem("expected a text, got \"\"");
    }
  }
  return texts;
}

StackDefaults read_stack(ObjectReader& in) {
  return {.names = read_texts(in.array("names")),
          .texts = read_texts(in.optional_array("texts")),
          .simulated_by = non_empty(in, "simulated_by"),
          .defaults = read_defaults(in),
          .exceptions = read_rules(in.optional_array("exceptions"), read_exception)};
}

AttentionText read_attention(ObjectReader& in) {
  return {.contains = non_empty(in, "contains"),
          .kernel = static_cast<sim::AttentionKernel>(
              in.one_of("kernel", scenarios::attention_kernel_names())),
          .any_fused = in.boolean("any_fused", false)};
}

OtherTask read_task(ObjectReader& in) {
  return {.when = read_conditions(in, "when"), .needs = non_empty(in, "needs")};
}

const Default* find_default(const std::vector<Default>& defaults, std::string_view name) {
  return first_of(defaults, [&](const Default& one) { return one.name == name; });
}

/// Null when no stack has this name.
const StackDefaults* named_stack(const StackCatalog& catalog, std::string_view name) {
  return first_of(catalog.stacks, [&](const StackDefaults& stack) {
    return std::ranges::find(stack.names, name) != stack.names.end();
  });
}

bool is_like(const StackDefaults& stack, const Measurement& row) {
  return std::ranges::any_of(stack.texts, [&](const std::string& text) {
    return contains_any_case(row.stack, text) || contains_any_case(row.framework, text);
  });
}

/// Stages, or weights that every replica has whole: what Megatron does, and FSDP does not.
bool has_whole_weights(const Measurement& row) {
  return row.pp.value_or(1) > 1 || row.vp.value_or(1) > 1 || row.sharding == "no_shard" ||
         row.sharding.starts_with("zero1");
}

std::string_view last_resort(const StackCatalog& catalog, const Measurement& row) {
  const bool is_whole = !catalog.otherwise_whole.empty() && has_whole_weights(row);
  return is_whole ? catalog.otherwise_whole : catalog.otherwise;
}

}  // namespace

ChosenStack::ChosenStack(const StackCatalog& catalog, const Measurement& row, bool mixture)
    : catalog_(&catalog), stack_(named_stack(catalog, row.stack)) {
  if (stack_ == nullptr) {
    assumed_ = true;
    stack_ =
        first_of(catalog.stacks, [&](const StackDefaults& stack) { return is_like(stack, row); });
    if (stack_ == nullptr) stack_ = named_stack(catalog, last_resort(catalog, row));
  }
  SIM_ASSERT(stack_ != nullptr, catalog.otherwise);
  for (const StackException& exception : stack_->exceptions) {
    if (exception.mixtures_only && !mixture) continue;
    if (holds(exception.when, row)) exceptions_.push_back(&exception);
  }
}

std::string_view ChosenStack::simulated_by() const {
  for (const StackException* exception : exceptions_) {
    if (!exception->simulated_by.empty()) return exception->simulated_by;
  }
  return stack_->simulated_by;
}

const Default* ChosenStack::find(std::vector<Default> DefaultSet::*list,
                                 std::string_view name) const {
  for (const DefaultSet* set : sets()) {
    if (const Default* found = find_default(set->*list, name)) return found;
  }
  return nullptr;
}

std::string_view ChosenStack::meaning(std::string_view column, std::string_view cell) const {
  for (const DefaultSet* set : sets()) {
    const auto* const found = first_of(set->values, [&](const StatedValue& value) {
      return value.column == column && value.stated == cell;
    });
    if (found != nullptr) return found->is;
  }
  return cell;
}

std::vector<const Default*> ChosenStack::settings() const {
  std::vector<const Default*> settings;
  const std::vector<const DefaultSet*> special_first = sets();
  const auto is_there = [&](const std::string& name) {
    return std::ranges::any_of(settings, [&](const Default* one) { return one->name == name; });
  };
  // Common ones first, each with its most special value.
  for (auto set = special_first.rbegin(); set != special_first.rend(); ++set) {
    for (const Default& setting : (*set)->settings) {
      if (!is_there(setting.name)) settings.push_back(find(&DefaultSet::settings, setting.name));
    }
  }
  return settings;
}

std::vector<const DefaultSet*> ChosenStack::sets() const {
  std::vector<const DefaultSet*> sets;
  for (const StackException* exception : exceptions_) sets.push_back(&exception->defaults);
  sets.insert(sets.end(), {&stack_->defaults, &catalog_->common});
  return sets;
}

StackCatalog read_stack_catalog(std::string_view text, const std::string& file) {
  return read_measured_json(text, file, schema, [](ObjectReader& in) {
    StackCatalog read;
    ObjectReader common = in.object("common");
    read.common = read_defaults(common);
    common.finish();
    read.stacks = read_rules(in.array("stacks"), read_stack);
    const auto check_name = [&](std::string_view key, const std::string& name) {
      if (name.empty() || named_stack(read, name) != nullptr) return;
      in.problem(key, "expected the name of a stack, got \"" + name + "\"");
    };
    read.otherwise = non_empty(in, "otherwise");
    check_name("otherwise", read.otherwise);
    read.otherwise_whole = in.string("otherwise_whole", "");
    check_name("otherwise_whole", read.otherwise_whole);
    read.attention = read_rules(in.array("attention"), read_attention);
    read.other_tasks = read_rules(in.array("other_tasks"), read_task);
    return read;
  });
}

const StackCatalog& stack_catalog() { return shipped<read_stack_catalog>("stack_defaults.json"); }

}  // namespace cubicbench::datasets
