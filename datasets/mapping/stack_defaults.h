#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/mapping/row_condition.h"
#include "datasets/tables/measurement.h"
#include "sim/hardware/stack.h"

namespace cubicbench::datasets {

/// What an empty column, or a setting that has no column, is taken to be.
struct Default {
  std::string name;
  std::string value;  ///< as a cell has it
};

/// What a stated cell means to this stack, where it means something else than to the simulator.
struct StatedValue {
  std::string column;
  std::string stated;  ///< as the cell has it; with a '*' at its end, how the cell begins
  std::string is;      ///< as the setting has it
};

/// Defaults that belong together.
struct DefaultSet {
  std::vector<Default> columns;   ///< of the measurement schema
  std::vector<Default> settings;  ///< of a plan, that the schema has no column for
  std::vector<StatedValue> values;
  /// What runs set of a model with experts that the schema has no column for:
  /// `expert_capacity` (factor), `load_deviation` (of the experts' tokens, over their mean),
  /// `first_dense_layers`, `prediction_layers`, `experts_beside_data` (1: ranks that share the
  /// experts are a dimension of their own, and read the same samples). Of runs that train adapters:
  /// `adapter_rank` and, 1 where they are trained, `adapters_of_` each of
  /// scenarios::adapter_modules. Of fine-tuning on packed samples: `packed_sample`, tokens of one.
  std::vector<Default> shape;
};

/// Where runs of a stack differ from its other runs.
struct StackException {
  std::vector<RowCondition> when;
  bool mixtures_only = false;  ///< holds of models with experts only
  std::string simulated_by;    ///< "": as the stack
  DefaultSet defaults;
};

/// How runs of one software stack are simulated.
struct StackDefaults {
  std::vector<std::string> names;  ///< as the column has it
  std::vector<std::string> texts;  ///< in `stack` or `framework` of rows that name another
  std::string simulated_by;        ///< of the library; "": the generic stack of its family
  std::string family;              ///< name of a StackFamily; may be "" of a stack with its own
  DefaultSet defaults;
  std::vector<StackException> exceptions;  ///< the first that holds and says something counts
};

/// What software of a family did at some time, on some devices or in some layouts: of unnamed runs.
struct FamilyEra {
  StackException differs;  ///< `simulated_by`: "": as the family
  std::string defaults;    ///< name of the StackDefaults; "": as the family
};

/// Software of one kind, and the generic stack that plays what has none of its own.
struct StackFamily {
  std::string name;
  std::string stack;            ///< of the library
  std::string defaults;         ///< name of the StackDefaults that an unnamed run takes
  bool judges_memory = true;    ///< the stack says what such software keeps
  std::vector<FamilyEra> eras;  ///< the first that holds and says something counts
};

/// Which family a run is of whose software nobody names; the first rule that holds counts.
struct UnnamedRule {
  std::string family;
  std::vector<RowCondition> when;
};

/// The attention kernel that a text in the column stands for.
struct AttentionText {
  std::string contains;
  sim::AttentionKernel kernel = sim::AttentionKernel::flash2;
  bool any_fused = false;  ///< the text says no more than that it is fused
};

/// Runs that do not train all weights of a decoder, whatever their model and stack.
struct OtherTask {
  std::vector<RowCondition> when;
  bool trains_adapters = false;  ///< low-rank ones, beside frozen weights
  bool quantizes_base = false;   ///< which are kept in 4 bits
  std::string needs;             ///< else what the simulator lacks for it
};

/// datasets/measured/stack_defaults.json.
struct StackCatalog {
  DefaultSet common;  ///< where neither stack nor exception says anything
  std::vector<StackDefaults> stacks;
  std::vector<StackFamily> families;
  std::vector<UnnamedRule> unnamed;  ///< the last one asks nothing
  std::string one_for_all;           ///< stack of the library that is judged on all rows
  std::vector<AttentionText> attention;
  std::vector<OtherTask> other_tasks;
};

/// The defaults of one row, most special first.
class ChosenStack {
 public:
  /// The stack named by the row; else the first one of whose texts the row's stack or framework
  /// contains; else that of a family, by what the row states of its device and layout. `mixture`:
  /// the model has experts. `catalog` must outlive it.
  ChosenStack(const StackCatalog& catalog, const Measurement& row, bool mixture = false);

  const StackDefaults& stack() const { return *stack_; }
  /// The row names no stack of the catalogue.
  bool is_assumed() const { return assumed_; }
  std::string_view simulated_by() const;
  /// The family whose generic stack simulates the row; "" where a stack of its own does.
  std::string_view family() const;
  /// What `assumed` calls that stack: the family, or the stack of one of its eras.
  std::string_view generic() const;
  bool judges_memory() const;
  /// Null when nothing is said of an empty column of this name.
  const Default* column(std::string_view name) const { return find(&DefaultSet::columns, name); }
  /// The same of what runs set of a model, for which there is no column.
  const Default* shape(std::string_view name) const { return find(&DefaultSet::shape, name); }
  /// What `cell`, which is not empty, means in this column: mostly itself.
  std::string_view meaning(std::string_view column, std::string_view cell) const;
  /// Settings without a column, each once: common ones first, in the file's order.
  std::vector<const Default*> settings() const;

 private:
  /// Rows whose software is not stated.
  void take_family(const Measurement& row, bool mixture);
  /// What an exception says plays the row; "" where none does.
  std::string_view excepted() const;
  /// The stack that an era of the family says; "" where none does.
  std::string_view of_era() const;
  /// Most special first.
  std::vector<const DefaultSet*> sets() const;
  const Default* find(std::vector<Default> DefaultSet::*list, std::string_view name) const;

  const StackCatalog* catalog_;
  const StackDefaults* stack_;
  bool assumed_ = false;
  const StackFamily* family_ = nullptr;      ///< whose stack plays, unless an exception has one
  bool unnamed_ = false;                     ///< no text of the row names its software
  std::vector<const StackException*> eras_;  ///< of the family, that hold
  std::vector<const StackException*> exceptions_;  ///< that hold
};

/// Reads the JSON file, schema `cubicbench.stack_defaults/1`. Every entry needs a reason; names of
/// columns and settings and values of settings are checked. Throws InputError with every problem.
StackCatalog read_stack_catalog(std::string_view text, const std::string& file);

/// That which ships, read once. Threads may call it at the same time.
const StackCatalog& stack_catalog();

}  // namespace cubicbench::datasets
