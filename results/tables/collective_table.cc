#include "results/tables/collective_table.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "support/json/json_document.h"
#include "support/prefixes.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::CollectiveAnswer;
using scenarios::name_of;
using sim::Collective;

using support::micro;
constexpr double element_bytes = 4.0;  // of a float, nccl-tests' type unless another is asked for

/// Whether nccl-tests counts the elements of one rank's part.
bool counts_parts(Collective op) {
  return op == Collective::all_gather || op == Collective::reduce_scatter ||
         op == Collective::all_to_all;
}

/// Whether nccl-tests prints an operation, which it does of sendrecv too.
bool reduces(Collective op) {
  return op == Collective::all_reduce || op == Collective::reduce_scatter ||
         op == Collective::send_receive;
}

/// The cost of one size.
struct CallRow : CollectiveAnswer {
  std::int64_t ranks;
};

Cell element_count(const CallRow& row) {
  const double elements = row.size_bytes / element_bytes;
  const double parts = counts_parts(row.op) ? static_cast<double>(row.ranks) : 1.0;
  return static_cast<std::int64_t>(elements / parts);
}

template <auto count>
Cell event_count(const CallRow& row) {
  return row.event ? Cell((*row.event).*count) : Cell(Cell::Absent());
}

/// What JSON has, and what nccl-tests prints.
const Field<CallRow> call_fields[] = {
    {{"op", ""}, [](const CallRow& of) { return name_of(of.op); }},
    // Lines that are no result begin with '#': the two of the headings too.
    {{"mark", "# #"}, [](const CallRow&) { return ""; }},
    {{"size_bytes", "size", Show::plain, "B"},
     [](const CallRow& of) { return static_cast<std::int64_t>(of.size_bytes); }},
    {{"ranks", ""}, &CallRow::ranks},
    {{"count", "count", Show::plain, "elements"}, element_count},
    {{"type", "type"}, [](const CallRow&) { return "float"; }},
    {{"redop", "redop"}, [](const CallRow& of) { return reduces(of.op) ? "sum" : "none"; }},
    {{"root", "root", Show::plain},
     [](const CallRow& of) { return of.op == Collective::broadcast ? 0 : -1; }},
    {{"time_us", "time", Show::fixed2, "us"},
     [](const CallRow& of) { return of.cost.time.value / micro; }},
    {{"algbw_gbps", "algbw", Show::fixed2, "GB/s"}, &CallRow::algbw_gb_s},
    {{"busbw_gbps", "busbw", Show::fixed2, "GB/s"}, &CallRow::busbw_gb_s},
    {{"algorithm", "algorithm"}, [](const CallRow& of) { return name_of(of.cost.algorithm); }},
    {{"protocol", "protocol"}, [](const CallRow& of) { return name_of(of.cost.protocol); }},
    {{"bottleneck", "bottleneck"}, [](const CallRow& of) { return name_of(of.cost.bottleneck); }},
    {{"event.events", ""}, event_count<&scenarios::CollectiveCounts::events>},
    {{"event.ranks", ""}, event_count<&scenarios::CollectiveCounts::ranks>},
    {{"event.flows", ""}, event_count<&scenarios::CollectiveCounts::flows>}};

Table table_of(const CollectiveTable& table) {
  std::vector<CallRow> rows;
  for (const CollectiveAnswer& answer : table.answers) rows.push_back({answer, table.group.ranks});
  return results::table_of<CallRow>(rows, call_fields);
}

/// What was played of all sizes.
std::string event_text(const CollectiveTable& table) {
  std::uint64_t events = 0;
  for (const CollectiveAnswer& answer : table.answers) events += answer.event->events;
  const scenarios::CollectiveCounts& last = *table.answers.back().event;
  return "event engine: " + grouped(events) + " events, " + grouped(last.ranks) + " ranks, " +
         grouped(last.flows) + " flows" + (table.answers.size() > 1 ? " of the last size" : "");
}

/// Lines above the table.
std::vector<std::string> head_of(const CollectiveTable& table) {
  const sim::Group& group = table.group;
  std::vector<std::string> lines{std::string(name_of(table.answers.front().op)) + " among " +
                                 std::to_string(group.ranks) + " GPUs of " + table.cluster + ", " +
                                 counted(sim::nodes_of(group), "domain", "domains") + " of " +
                                 std::to_string(group.ranks_per_node)};
  if (table.groups > 1) lines.push_back(grouped(table.groups) + " such groups at once");
  if (table.answers.front().event) lines.push_back(event_text(table));
  return lines;
}

}  // namespace

Document collective_document(const CollectiveTable& table) {
  Document document;
  for (const std::string& line : head_of(table)) document.add(Heading{.text = "# " + line});
  document.add(table_of(table));
  return document;
}

Json collective_json(const CollectiveTable& table) {
  Json document = support::new_document("collective");
  const Json results =
      json_of(chosen(table_of(table), {"op", "size_bytes", "ranks", "time_us", "algbw_gbps",
                                       "busbw_gbps", "algorithm", "protocol", "bottleneck",
                                       "event.events", "event.ranks", "event.flows"}));
  if (!table.range) {
    document.update(results.front());
    return document;
  }
  document["op"] = name_of(table.answers.front().op);
  document["ranks"] = table.group.ranks;
  document["results"] = results;
  return document;
}

}  // namespace cubicbench::results
