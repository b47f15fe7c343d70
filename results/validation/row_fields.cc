#include "results/validation/row_fields.h"

#include <array>
#include <cstdint>
#include <string_view>

#include "datasets/tables/measurement_schema.h"
#include "results/simulation/part_names.h"
#include "sim/base/binary_sizes.h"

namespace cubicbench::results {
namespace {

std::string_view kind_name(datasets::RowKind kind) {
  constexpr std::array<std::string_view, 3> names{"run", "collective", "recommendation"};
  return names[static_cast<std::size_t>(kind)];
}

Cell of_collective(const ValidatedRow& row, const Cell& cell) {
  return is_collective(row) ? cell : Cell(Cell::Absent());
}

/// Sizes are whole bytes, and read better without a point.
Cell bytes(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Cell(whole) : Cell(value);
}

template <auto figure>
constexpr auto of_memory = of_member<&ValidatedRow::memory, figure>;

/// For JSON alone, and for CSV alone, which has it in another place or in another form.
Column json_only(const char* key) { return not_in_csv({key, ""}); }
Column csv_only(const char* key) { return not_in_json({key, ""}); }

}  // namespace

std::span<const Field<ValidatedRow>> row_fields() {
  using Row = ValidatedRow;
  using Memory = datasets::ValidatedMemory;
  static const Field<Row> fields[] = {
      {{"id", "row"}, &Row::id},
      {{"source", "source"}, &Row::source},
      {{"family", ""}, &Row::family},
      {json_only("file"), &Row::file},
      {csv_only("kind"), [](const Row& row) { return kind_name(row.kind); }},
      {json_only("n_experts"), &Row::n_experts},
      {{"group", "group"}, &Row::group},
      {{"status_measured", ""}, [](const Row& row) { return name_of(row.status_measured); }},
      {{"status_simulated", ""}, [](const Row& row) { return name_of(row.status_simulated); }},
      {{"step_time_s_measured", "measured", Show::duration}, &Row::step_time_measured},
      {{"step_time_s_simulated", "simulated", Show::duration}, &Row::step_time_simulated},
      {{"throughput_measured", ""}, &Row::throughput_measured},
      {{"throughput_simulated", ""}, &Row::throughput_simulated},
      {{"rel_error", ""}, &Row::rel_error},
      {{"peak_mem_gib_measured", ""}, of_memory<&Memory::peak_measured>},
      {{"peak_mem_gib_simulated", ""}, of_memory<&Memory::peak_simulated>},
      {{"mem_kind", ""}, [](const Row& row) { return Cell::or_null(row.memory.kind); }},
      {{"mem_rank", ""}, [](const Row& row) { return Cell::or_null(row.memory.rank); }},
      {{"static_gib_measured", ""}, of_memory<&Memory::static_measured>},
      {{"static_gib_simulated", ""}, of_memory<&Memory::static_simulated>},
      {{"memory_demand_gib", ""}, of_memory<&Memory::demand>},
      {{"memory_limit_gib", ""}, of_memory<&Memory::limit>},
      {json_only("assumed"), &Row::assumed},
      {{"system", ""}, [](const Row& row) { return of_collective(row, row.system); }},
      {{"collective", ""}, [](const Row& row) { return of_collective(row, row.collective); }},
      {{"n_gpus", ""}, [](const Row& row) { return of_collective(row, row.gpus); }},
      {json_only("size_bytes"),
       [](const Row& row) { return of_collective(row, bytes(row.size_bytes)); }},
      {csv_only("size_bytes"), [](const Row& row) { return of_collective(row, row.size_bytes); }},
      {csv_only("assumed"), &Row::assumed}};
  return fields;
}

std::span<const Field<ValidatedRow>> skipped_fields() {
  static const Field<ValidatedRow> fields[] = {{{"id", "row"}, &ValidatedRow::id},
                                               {csv_only("source"), &ValidatedRow::source},
                                               {{"reason", "reason"}, &ValidatedRow::reason}};
  return fields;
}

std::span<const Field<RankedGroup>> group_fields() {
  static const Field<RankedGroup> fields[] = {
      {{"source", "source"}, &RankedGroup::source},
      {{"group", "group"}, &RankedGroup::group},
      {{"rows", "rows", Show::count}, &RankedGroup::rows},
      {{"kendall", "tau", Show::fixed3}, &RankedGroup::tau},
      {{"top1_ratio", "best found", Show::fixed3}, &RankedGroup::top1_ratio}};
  return fields;
}

std::span<const Field<MemoryLadder>> ladder_fields() {
  static const Field<MemoryLadder> fields[] = {
      {{"source", "source"}, &MemoryLadder::source},
      {{"layout", "layout"}, &MemoryLadder::layout},
      {{"fits_last", "last that fits", Show::count}, &MemoryLadder::fits_last},
      {{"fails_first", "first that does not", Show::count}, &MemoryLadder::fails_first},
      {{"fits_said", "predicted to fit"}, &MemoryLadder::fits_said},
      {{"fails_said", "predicted not to fit"}, &MemoryLadder::fails_said}};
  return fields;
}

std::span<const Field<Crossover>> crossover_fields() {
  static const Field<Crossover> fields[] = {
      {{"source", "source"}, &Crossover::source},
      {{"system", "system"}, &Crossover::system},
      {{"collective", "operation"}, &Crossover::collective},
      {{"n_gpus", "GPUs", Show::count}, &Crossover::gpus},
      {not_in_csv({"measured_mib", "measured", Show::fixed2, "MiB"}),
       [](const Crossover& of) { return Cell(of.measured / sim::bytes_per_mib); }},
      {not_in_csv({"simulated_mib", "simulated", Show::fixed2, "MiB"}),
       [](const Crossover& of) {
         return of.simulated ? Cell(*of.simulated / sim::bytes_per_mib) : Cell();
       }},
      {not_in_json({"measured_bytes", ""}), &Crossover::measured},
      {not_in_json({"simulated_bytes", ""}), &Crossover::simulated},
      {{"factor", "factor", Show::fixed1}, datasets::factor_of}};
  return fields;
}

}  // namespace cubicbench::results
