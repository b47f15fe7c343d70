#include "datasets/mapping/stack_defaults.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "datasets/mapping/measured_json.h"
#include "datasets/tables/measurement_schema.h"
#include "scenarios/space/setting.h"
#include "sim/base/check.h"
#include "support/json/canonical.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;
using support::ValueReader;

constexpr std::array<std::string_view, 1> schemas{"cubicbench.stack_defaults/1"};
constexpr std::string_view shipped = "stack_defaults.json";
constexpr std::array<std::string_view, 5> shapes{"expert_capacity", "load_deviation",
                                                 "first_dense_layers", "prediction_layers",
                                                 "experts_beside_data"};
constexpr std::array<std::string_view, 5> kernels{"unfused", "flash1", "flash2", "flash3", "cudnn"};

Default read_default(ObjectReader& in) {
  Default read{
      .name = non_empty(in, "name"), .value = cell_value(in, "value"), .why = non_empty(in, "why")};
  in.finish();
  return read;
}

Default read_column(ObjectReader in) {
  Default column = read_default(in);
  if (!column.name.empty() && find_measurement_column(column.name) == nullptr) {
    in.problem("name", "expected a column of the measurement schema, got \"" + column.name + "\"");
  }
  return column;
}

Default read_setting(ObjectReader in) {
  Default read = read_default(in);
  const scenarios::Setting* const setting = scenarios::find_setting(read.name);
  if (setting == nullptr) {
    if (!read.name.empty()) {
      in.problem("name", "expected a setting, got \"" + read.name + "\"");
    }
  } else if (!scenarios::parse_setting(*setting, read.value) && !read.value.empty()) {
    in.problem("value",
               "expected " + scenarios::expected(*setting) + ", got \"" + read.value + "\"");
  }
  return read;
}

StatedValue read_value(ObjectReader in) {
  StatedValue value{.column = non_empty(in, "column"),
                    .stated = non_empty(in, "stated"),
                    .is = non_empty(in, "is"),
                    .why = non_empty(in, "why")};
  in.finish();
  return value;
}

Default read_shape(ObjectReader in) {
  Default read{.name = std::string(shapes[in.one_of("name", shapes)]),
               .value = support::shortest(in.number("value", 0.0, 1e9)),
               .why = non_empty(in, "why")};
  in.finish();
  return read;
}

DefaultSet read_defaults(ObjectReader& in) {
  DefaultSet set;
  for (const ValueReader& entry : in.optional_array("columns")) {
    set.columns.push_back(read_column(entry.object()));
  }
  for (const ValueReader& entry : in.optional_array("settings")) {
    set.settings.push_back(read_setting(entry.object()));
  }
  for (const ValueReader& entry : in.optional_array("values")) {
    set.values.push_back(read_value(entry.object()));
  }
  for (const ValueReader& entry : in.optional_array("shape")) {
    set.shape.push_back(read_shape(entry.object()));
  }
  return set;
}

StackException read_exception(ObjectReader in) {
  StackException exception{.when = read_conditions(in, "when"),
                           .mixtures_only = in.boolean("mixtures_only", false),
                           .simulated_by = in.string("simulated_by", ""),
                           .defaults = read_defaults(in),
                           .why = non_empty(in, "why")};
  in.finish();
  return exception;
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

StackDefaults read_stack(ObjectReader in) {
  StackDefaults stack;
  stack.names = read_texts(in.array("names"));
  stack.texts = read_texts(in.optional_array("texts"));
  stack.simulated_by = non_empty(in, "simulated_by");
  stack.defaults = read_defaults(in);
  for (const ValueReader& entry : in.optional_array("exceptions")) {
    stack.exceptions.push_back(read_exception(entry.object()));
  }
  stack.why = non_empty(in, "why");
  in.finish();
  return stack;
}

AttentionText read_attention(ObjectReader in) {
  AttentionText text{
      .contains = non_empty(in, "contains"),
      .kernel = static_cast<sim::AttentionKernel>(in.one_of("kernel", kernels)),
      .any_fused = in.boolean("any_fused", false),
      .why = non_empty(in, "why"),
  };
  in.finish();
  return text;
}

OtherTask read_task(ObjectReader in) {
  OtherTask task{.when = read_conditions(in, "when"),
                 .needs = non_empty(in, "needs"),
                 .why = non_empty(in, "why")};
  in.finish();
  return task;
}

const Default* find_default(const std::vector<Default>& defaults, std::string_view name) {
  const auto found = std::ranges::find(defaults, name, &Default::name);
  return found == defaults.end() ? nullptr : &*found;
}

/// Null when no stack has this name.
const StackDefaults* named_stack(const StackCatalog& catalog, std::string_view name) {
  const auto found = std::ranges::find_if(catalog.stacks, [&](const StackDefaults& stack) {
    return std::ranges::find(stack.names, name) != stack.names.end();
  });
  return found == catalog.stacks.end() ? nullptr : &*found;
}

bool is_like(const StackDefaults& stack, const Measurement& row) {
  return std::ranges::any_of(stack.texts, [&](const std::string& text) {
    return contains_text(row.stack, text) || contains_text(row.framework, text);
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
    const auto like = std::ranges::find_if(
        catalog.stacks, [&](const StackDefaults& stack) { return is_like(stack, row); });
    stack_ =
        like == catalog.stacks.end() ? named_stack(catalog, last_resort(catalog, row)) : &*like;
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

const Default* ChosenStack::column(std::string_view name) const {
  for (const DefaultSet* set : sets()) {
    if (const Default* found = find_default(set->columns, name)) return found;
  }
  return nullptr;
}

const Default* ChosenStack::shape(std::string_view name) const {
  for (const DefaultSet* set : sets()) {
    if (const Default* found = find_default(set->shape, name)) return found;
  }
  return nullptr;
}

std::string_view ChosenStack::meaning(std::string_view column, std::string_view cell) const {
  for (const DefaultSet* set : sets()) {
    const auto found = std::ranges::find_if(set->values, [&](const StatedValue& value) {
      return value.column == column && value.stated == cell;
    });
    if (found != set->values.end()) return found->is;
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
      if (is_there(setting.name)) continue;
      for (const DefaultSet* special : special_first) {
        const Default* const found = find_default(special->settings, setting.name);
        if (found == nullptr) continue;
        settings.push_back(found);
        break;
      }
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
  const nlohmann::ordered_json json = support::parse_json(text, file);
  std::vector<support::Problem> problems;
  ObjectReader in(json, file, "", problems);
  in.one_of("schema", schemas);
  StackCatalog read;
  ObjectReader common = in.object("common");
  read.common = read_defaults(common);
  common.finish();
  for (const ValueReader& entry : in.array("stacks")) {
    read.stacks.push_back(read_stack(entry.object()));
  }
  read.otherwise = non_empty(in, "otherwise");
  if (!read.otherwise.empty() && named_stack(read, read.otherwise) == nullptr) {
    in.problem("otherwise", "expected the name of a stack, got \"" + read.otherwise + "\"");
  }
  read.otherwise_whole = in.string("otherwise_whole", "");
  if (!read.otherwise_whole.empty() && named_stack(read, read.otherwise_whole) == nullptr) {
    in.problem("otherwise_whole",
               "expected the name of a stack, got \"" + read.otherwise_whole + "\"");
  }
  for (const ValueReader& entry : in.array("attention")) {
    read.attention.push_back(read_attention(entry.object()));
  }
  for (const ValueReader& entry : in.array("other_tasks")) {
    read.other_tasks.push_back(read_task(entry.object()));
  }
  in.finish();
  support::throw_if_any(problems);
  return read;
}

const StackCatalog& stack_catalog() {
  static const StackCatalog read =
      read_stack_catalog(measured_json(shipped), measured_json_path(shipped));
  return read;
}

}  // namespace cubicbench::datasets
