#include "results/validation/validated_row.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>

#include "datasets/tables/measurement_schema.h"
#include "results/simulation/part_names.h"

namespace cubicbench::results {
namespace {

std::optional<double> memory_error(const ValidatedRow& row, const std::optional<double>& measured,
                                   const std::optional<double>& simulated) {
  if (row.status_measured != datasets::MeasurementStatus::ok) return std::nullopt;
  if (!measured || !simulated) return std::nullopt;
  return std::fabs(*simulated - *measured) / *measured;
}

std::string_view name_of(RowKind kind) {
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

RowPointers all_rows(const std::vector<ValidatedRow>& rows) {
  RowPointers all;
  for (const ValidatedRow& row : rows) all.push_back(&row);
  return all;
}

RowPointers rows_where(RowSpan rows, bool (*is)(const ValidatedRow&)) {
  RowPointers those;
  std::ranges::copy_if(rows, std::back_inserter(those), [&](const auto* row) { return is(*row); });
  return those;
}

std::vector<double> values_of(RowSpan rows, std::optional<double> (*value)(const ValidatedRow&)) {
  std::vector<double> values;
  for (const ValidatedRow* row : rows) {
    if (const auto of = value(*row)) values.push_back(*of);
  }
  return values;
}

std::vector<NamedRows> rows_by(RowSpan rows,
                               const std::function<std::string(const ValidatedRow&)>& text) {
  std::vector<NamedRows> all;
  std::map<std::string, std::size_t> places;
  for (const ValidatedRow* row : rows) {
    const std::string name = text(*row);
    if (name.empty()) continue;
    const auto [place, is_new] = places.emplace(name, all.size());
    if (is_new) all.push_back({.name = name, .rows = {}});
    all[place->second].rows.push_back(row);
  }
  return all;
}

std::optional<double> time_ratio(const ValidatedRow& row) {
  if (!row.step_time_measured || !row.step_time_simulated) return std::nullopt;
  return *row.step_time_simulated / *row.step_time_measured;
}

std::optional<double> time_factor(const ValidatedRow& row) {
  const std::optional<double> ratio = time_ratio(row);
  if (!ratio) return std::nullopt;
  return std::max(*ratio, 1.0 / *ratio);
}

std::optional<double> time_error(const ValidatedRow& row) {
  return row.rel_error ? std::optional(std::fabs(*row.rel_error)) : std::nullopt;
}

std::optional<double> peak_error(const ValidatedRow& row) {
  return memory_error(row, row.memory.peak_measured, row.memory.peak_simulated);
}

std::optional<double> static_error(const ValidatedRow& row) {
  return memory_error(row, row.memory.static_measured, row.memory.static_simulated);
}

bool is_collective(const ValidatedRow& row) { return row.kind == RowKind::collective; }

bool is_run(const ValidatedRow& row) { return !is_collective(row); }

bool failed(const ValidatedRow& row) {
  return row.status_measured == datasets::MeasurementStatus::oom;
}

bool fails_simulated(const ValidatedRow& row) {
  return row.status_simulated == sim::StepStatus::oom_init ||
         row.status_simulated == sim::StepStatus::oom_late;
}

bool is_hung(const ValidatedRow& row) {
  return is_run(row) && row.step_time_measured && row.step_time_simulated &&
         *row.step_time_measured > hung_ratio * *row.step_time_simulated;
}

std::span<const Field<ValidatedRow>> row_fields() {
  using Row = ValidatedRow;
  using Memory = ValidatedMemory;
  static const Field<Row> fields[] = {
      {{"id", "row"}, &Row::id},
      {{"source", "source"}, &Row::source},
      {{"family", ""}, &Row::family},
      {json_only("file"), &Row::file},
      {csv_only("kind"), [](const Row& row) { return name_of(row.kind); }},
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

}  // namespace cubicbench::results
