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

constexpr std::array<std::string_view, 11> shapes{
    "expert_capacity",        "load_deviation",
    "first_dense_layers",     "prediction_layers",
    "experts_beside_data",    "adapter_rank",
    "adapters_of_linear_qkv", "adapters_of_linear_proj",
    "adapters_of_linear_fc1", "adapters_of_linear_fc2",
    "packed_sample"};

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

Default read_default_setting(ObjectReader& in) {
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
          .settings = read_each(in.optional_array("settings"), read_default_setting),
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
          .simulated_by =
              in.has("family") ? in.string("simulated_by", "") : non_empty(in, "simulated_by"),
          .family = in.string("family", ""),
          .defaults = read_defaults(in),
          .exceptions = read_rules(in.optional_array("exceptions"), read_exception)};
}

FamilyEra read_era(ObjectReader& in) {
  return {.differs = read_exception(in), .defaults = in.string("defaults", "")};
}

StackFamily read_family(ObjectReader& in) {
  return {.name = non_empty(in, "name"),
          .stack = non_empty(in, "stack"),
          .defaults = non_empty(in, "defaults"),
          .judges_memory = in.boolean("judges_memory", true),
          .eras = read_rules(in.optional_array("eras"), read_era)};
}

UnnamedRule read_unnamed(ObjectReader& in) {
  return {.family = non_empty(in, "family"), .when = read_conditions(in, "when")};
}

AttentionText read_attention_text(ObjectReader& in) {
  return {.contains = non_empty(in, "contains"),
          .kernel = static_cast<sim::AttentionKernel>(
              in.one_of("kernel", scenarios::attention_kernel_names())),
          .any_fused = in.boolean("any_fused", false)};
}

OtherTask read_task(ObjectReader& in) {
  const bool adapters = in.boolean("trains_adapters", false);
  return {.when = read_conditions(in, "when"),
          .trains_adapters = adapters,
          .quantizes_base = in.boolean("quantizes_base", false),
          .needs = adapters ? "" : non_empty(in, "needs")};
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

/// Null when no family has this name.
const StackFamily* named_family(const StackCatalog& catalog, std::string_view name) {
  return first_of(catalog.families, [&](const StackFamily& one) { return one.name == name; });
}

/// Of a run whose software nobody names. The last rule asks nothing, so that there is one.
const StackFamily* family_of_layout(const StackCatalog& catalog, const Measurement& row) {
  const auto* const rule =
      first_of(catalog.unnamed, [&](const UnnamedRule& one) { return holds(one.when, row); });
  return rule == nullptr ? nullptr : named_family(catalog, rule->family);
}

bool holds(const StackException& exception, const Measurement& row, bool mixture) {
  return (mixture || !exception.mixtures_only) && holds(exception.when, row);
}

/// What the first of them that says something says plays the row; "" where none does.
std::string_view first_stack(const std::vector<const StackException*>& of) {
  const auto says = std::ranges::find_if(
      of, [](const StackException* one) { return !one->simulated_by.empty(); });
  return says == of.end() ? std::string_view() : std::string_view((*says)->simulated_by);
}

bool means(const StatedValue& value, std::string_view column, std::string_view cell) {
  if (value.column != column) return false;
  const std::string_view stated = value.stated;
  if (!stated.ends_with('*')) return stated == cell;
  return cell.starts_with(stated.substr(0, stated.size() - 1));
}

/// Stacks, families and rules name one another.
void check_families(const StackCatalog& read, ObjectReader& in) {
  const auto check = [&](std::string_view key, const std::string& family) {
    if (family.empty() || named_family(read, family) != nullptr) return;
    in.problem(key, "expected the name of a family, got \"" + family + "\"");
  };
  for (const StackDefaults& stack : read.stacks) check("stacks", stack.family);
  for (const UnnamedRule& rule : read.unnamed) check("unnamed", rule.family);
  const auto check_defaults = [&](const std::string& defaults) {
    if (defaults.empty() || named_stack(read, defaults) != nullptr) return;
    in.problem("families", "expected the name of a stack, got \"" + defaults + "\"");
  };
  for (const StackFamily& family : read.families) {
    check_defaults(family.defaults);
    for (const FamilyEra& era : family.eras) check_defaults(era.defaults);
  }
  if (read.unnamed.empty() || !read.unnamed.back().when.empty()) {
    in.problem("unnamed", "expected a last rule that asks nothing");
  }
}

}  // namespace

ChosenStack::ChosenStack(const StackCatalog& catalog, const Measurement& row, bool mixture)
    : catalog_(&catalog), stack_(named_stack(catalog, row.stack)) {
  if (stack_ == nullptr) {
    assumed_ = true;
    stack_ =
        first_of(catalog.stacks, [&](const StackDefaults& stack) { return is_like(stack, row); });
  }
  if (stack_ == nullptr) {
    take_family(row, mixture);
  }
  SIM_ASSERT(stack_ != nullptr, catalog.stacks.size());
  for (const StackException& exception : stack_->exceptions) {
    if (holds(exception, row, mixture)) exceptions_.push_back(&exception);
  }
  if (unnamed_) return;
  const StackFamily* const family = named_family(catalog, stack_->family);
  const bool is_generic = family != nullptr && family->stack == excepted();
  if (stack_->simulated_by.empty() || is_generic) family_ = family;
}

void ChosenStack::take_family(const Measurement& row, bool mixture) {
  unnamed_ = true;
  family_ = family_of_layout(*catalog_, row);
  SIM_ASSERT(family_ != nullptr, catalog_->families.size());
  std::string_view defaults;
  for (const FamilyEra& era : family_->eras) {
    if (!holds(era.differs, row, mixture)) continue;
    eras_.push_back(&era.differs);
    if (defaults.empty()) defaults = era.defaults;
  }
  stack_ = named_stack(*catalog_, defaults.empty() ? family_->defaults : defaults);
}

/// Exceptions of a stack that was only chosen for its defaults say nothing of what plays.
std::string_view ChosenStack::excepted() const {
  return unnamed_ ? std::string_view() : first_stack(exceptions_);
}

std::string_view ChosenStack::of_era() const { return first_stack(eras_); }

std::string_view ChosenStack::simulated_by() const {
  if (!excepted().empty()) return excepted();
  if (!of_era().empty()) return of_era();
  return family_ != nullptr ? family_->stack : stack_->simulated_by;
}

std::string_view ChosenStack::family() const {
  const bool plays = family_ != nullptr && (excepted().empty() || excepted() == family_->stack);
  return plays ? std::string_view(family_->name) : std::string_view();
}

std::string_view ChosenStack::generic() const {
  return family().empty() || of_era().empty() ? family() : of_era();
}

bool ChosenStack::judges_memory() const { return family().empty() || family_->judges_memory; }

const Default* ChosenStack::find(std::vector<Default> DefaultSet::*list,
                                 std::string_view name) const {
  for (const DefaultSet* set : sets()) {
    if (const Default* found = find_default(set->*list, name)) return found;
  }
  return nullptr;
}

std::string_view ChosenStack::meaning(std::string_view column, std::string_view cell) const {
  for (const DefaultSet* set : sets()) {
    const auto* const found =
        first_of(set->values, [&](const StatedValue& value) { return means(value, column, cell); });
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
  for (const StackException* era : eras_) sets.push_back(&era->defaults);
  for (const StackException* exception : exceptions_) sets.push_back(&exception->defaults);
  sets.insert(sets.end(), {&stack_->defaults, &catalog_->common});
  return sets;
}

StackCatalog read_stack_catalog(std::string_view text, const std::string& file) {
  return read_measured_json(text, file, "cubicbench.stack_defaults/1", [](ObjectReader& in) {
    StackCatalog read;
    ObjectReader common = in.object("common");
    read.common = read_defaults(common);
    common.finish();
    read.stacks = read_rules(in.array("stacks"), read_stack);
    read.families = read_rules(in.array("families"), read_family);
    read.unnamed = read_rules(in.array("unnamed"), read_unnamed);
    read.one_for_all = non_empty(in, "one_for_all");
    check_families(read, in);
    read.attention = read_rules(in.array("attention"), read_attention_text);
    read.other_tasks = read_rules(in.array("other_tasks"), read_task);
    return read;
  });
}

const StackCatalog& stack_catalog() { return shipped<read_stack_catalog>("stack_defaults.json"); }

}  // namespace cubicbench::datasets
