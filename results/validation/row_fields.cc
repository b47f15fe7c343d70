#include "results/validation/row_fields.h"

#include <cstdint>

#include "datasets/tables/measurement_schema.h"
#include "results/simulation/part_names.h"

namespace cubicbench::results {
namespace {

std::string_view name_of_kind(RowKind kind) {
  switch (kind) {
    case RowKind::run:
      return "run";
    case RowKind::collective:
      return "collective";
    case RowKind::recommendation:
      return "recommendation";
  }
  return "";
}

Cell of_collective(const ValidatedRow& row, const Cell& cell) {
  return row.kind == RowKind::collective ? cell : Cell(Cell::Absent());
}

/// Sizes are whole bytes, and read better without a point.
Cell bytes(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Cell(whole) : Cell(value);
}

template <auto figure>
constexpr auto of_memory = of_member<&ValidatedRow::memory, figure, ValidatedRow>;

/// For JSON alone, and for CSV alone, which has it in another place or in another form.
Column json_only(const char* key) { return {.key = key, .heading = "", .in_csv = false}; }
Column csv_only(const char* key) { return {.key = key, .heading = "", .in_json = false}; }

}  // namespace

std::span<const Field<ValidatedRow>> row_fields() {
  using Row = ValidatedRow;
  using Memory = ValidatedMemory;
  static const Field<Row> fields[] = {
      {{"id", "row"}, of_member<&Row::id>},
      {{"source", "source"}, of_member<&Row::source>},
      {{"family", ""}, of_member<&Row::family>},
      {json_only("file"), of_member<&Row::file>},
      {csv_only("kind"), [](const Row& row) { return Cell(name_of_kind(row.kind)); }},
      {json_only("n_experts"), of_member<&Row::n_experts>},
      {{"group", "group"}, of_member<&Row::group>},
      {{"status_measured", ""},
       [](const Row& row) { return Cell(datasets::name_of(row.status_measured)); }},
      {{"status_simulated", ""},
       [](const Row& row) { return Cell(name_of(row.status_simulated)); }},
      {{"step_time_s_measured", "measured", Show::duration}, of_member<&Row::step_time_measured>},
      {{"step_time_s_simulated", "simulated", Show::duration},
       of_member<&Row::step_time_simulated>},
      {{"throughput_measured", ""}, of_member<&Row::throughput_measured>},
      {{"throughput_simulated", ""}, of_member<&Row::throughput_simulated>},
      {{"rel_error", ""}, of_member<&Row::rel_error>},
      {{"peak_mem_gib_measured", ""}, of_memory<&Memory::peak_measured>},
      {{"peak_mem_gib_simulated", ""}, of_memory<&Memory::peak_simulated>},
      {{"mem_kind", ""}, [](const Row& row) { return Cell::or_null(row.memory.kind); }},
      {{"mem_rank", ""}, [](const Row& row) { return Cell::or_null(row.memory.rank); }},
      {{"static_gib_measured", ""}, of_memory<&Memory::static_measured>},
      {{"static_gib_simulated", ""}, of_memory<&Memory::static_simulated>},
      {{"memory_demand_gib", ""}, of_memory<&Memory::demand>},
      {{"memory_limit_gib", ""}, of_memory<&Memory::limit>},
      {json_only("assumed"), of_member<&Row::assumed>},
      {{"system", ""}, [](const Row& row) { return of_collective(row, row.system); }},
      {{"collective", ""}, [](const Row& row) { return of_collective(row, row.collective); }},
      {{"n_gpus", ""}, [](const Row& row) { return of_collective(row, row.gpus); }},
      {json_only("size_bytes"),
       [](const Row& row) { return of_collective(row, bytes(row.size_bytes)); }},
      {csv_only("size_bytes"), [](const Row& row) { return of_collective(row, row.size_bytes); }},
      {csv_only("assumed"), of_member<&Row::assumed>}};
  return fields;
}

std::span<const Field<ValidatedRow>> skipped_fields() {
  static const Field<ValidatedRow> fields[] = {
      {{"id", "row"}, of_member<&ValidatedRow::id>},
      {csv_only("source"), of_member<&ValidatedRow::source>},
      {{"reason", "reason"}, of_member<&ValidatedRow::reason>}};
  return fields;
}

}  // namespace cubicbench::results
