#include "results/tables/collective_table.h"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "results/layout/columns.h"
#include "results/document/number_text.h"
#include "scenarios/collective/collective_names.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::CollectiveAnswer;
using scenarios::name_of;

constexpr double micro = 1e-6;
constexpr double element_bytes = 4.0;  // of a float, nccl-tests' type unless another is asked for

/// How nccl-tests counts and reduces.
struct Convention {
  bool parts;  ///< the count is of one rank's part
  const char* reduction;
  int root;
};

Convention convention_of(sim::Collective op) {
  switch (op) {
    case sim::Collective::all_gather:
      return {.parts = true, .reduction = "none", .root = -1};
    case sim::Collective::reduce_scatter:
      return {.parts = true, .reduction = "sum", .root = -1};
    case sim::Collective::all_reduce:
      return {.parts = false, .reduction = "sum", .root = -1};
    case sim::Collective::all_to_all:
      return {.parts = true, .reduction = "none", .root = -1};
    case sim::Collective::broadcast:
      return {.parts = false, .reduction = "none", .root = 0};
    case sim::Collective::send_receive:
      break;
  }
  return {.parts = false, .reduction = "sum", .root = -1};
}

std::int64_t count_of(const CollectiveAnswer& answer, std::int64_t ranks) {
  const double elements = answer.size_bytes / element_bytes;
  return static_cast<std::int64_t>(
      convention_of(answer.op).parts ? elements / static_cast<double>(ranks) : elements);
}

/// As wide as nccl-tests has it: five characters while that is enough.
std::string microseconds(double seconds) {
  const double us = seconds / micro;
  return fixed(us, us < 99.995 ? 2 : us < 999.95 ? 1 : 0);
}

std::vector<std::string> cells_of(const CollectiveAnswer& answer, std::int64_t ranks) {
  const Convention convention = convention_of(answer.op);
  return {"",
          std::to_string(static_cast<std::int64_t>(answer.size_bytes)),
          std::to_string(count_of(answer, ranks)),
          "float",
          convention.reduction,
          std::to_string(convention.root),
          microseconds(answer.cost.time.value),
          fixed(answer.algbw_gb_s, 2),
          fixed(answer.busbw_gb_s, 2),
          std::string(name_of(answer.cost.algorithm)),
          std::string(name_of(answer.cost.protocol)),
          std::string(name_of(answer.cost.bottleneck))};
}

Json answer_json(const CollectiveAnswer& answer, std::int64_t ranks) {
  Json json{{"op", name_of(answer.op)},
            {"size_bytes", static_cast<std::int64_t>(answer.size_bytes)},
            {"ranks", ranks},
            {"time_us", answer.cost.time.value / micro},
            {"algbw_gbps", answer.algbw_gb_s},
            {"busbw_gbps", answer.busbw_gb_s},
            {"algorithm", name_of(answer.cost.algorithm)},
            {"protocol", name_of(answer.cost.protocol)},
            {"bottleneck", name_of(answer.cost.bottleneck)}};
  if (answer.event) {
    json["event"] = {{"events", answer.event->events},
                     {"ranks", answer.event->ranks},
                     {"flows", answer.event->flows}};
  }
  return json;
}

/// What was played of all sizes.
std::string event_text(const CollectiveTable& table) {
  std::uint64_t events = 0;
  for (const CollectiveAnswer& answer : table.answers) events += answer.event->events;
  const scenarios::CollectiveCounts& last = *table.answers.back().event;
  return "# event engine: " + grouped(events) + " events, " + grouped(last.ranks) + " ranks, " +
         grouped(last.flows) + " flows" + (table.answers.size() > 1 ? " of the last size" : "") +
         "\n";
}

}  // namespace

std::string collective_text(const CollectiveTable& table) {
  const sim::Group& group = table.group;
  const std::int64_t domains = sim::nodes_of(group);
  std::string head = "# " + std::string(name_of(table.answers.front().op)) + " among " +
                     std::to_string(group.ranks) + " GPUs of " + table.cluster + ", " +
                     std::to_string(domains) + (domains == 1 ? " domain" : " domains") + " of " +
                     std::to_string(group.ranks_per_node) + "\n";
  if (table.groups > 1) head += "# " + std::to_string(table.groups) + " such groups at once\n";
  if (table.answers.front().event) head += event_text(table);
  std::vector<std::vector<std::string>> rows{
      {"#", "size", "count", "type", "redop", "root", "time", "algbw", "busbw", "algorithm",
       "protocol", "bottleneck"},
      {"#", "(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "", "", ""}};
  for (const CollectiveAnswer& answer : table.answers) {
    rows.push_back(cells_of(answer, group.ranks));
  }
  return head + columns_text(rows);
}

Json collective_json(const CollectiveTable& table) {
  Json document = support::new_document("collective");
  if (!table.range) {
    document.update(answer_json(table.answers.front(), table.group.ranks));
    return document;
  }
  document["op"] = name_of(table.answers.front().op);
  document["ranks"] = table.group.ranks;
  document["results"] = Json::array();
  for (const CollectiveAnswer& answer : table.answers) {
    document["results"].push_back(answer_json(answer, table.group.ranks));
  }
  return document;
}

}  // namespace cubicbench::results
