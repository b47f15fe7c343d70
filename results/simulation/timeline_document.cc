#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/simulation/shown_problem.h"
#include "results/simulation/step_timeline.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

/// A column per stream that a rank has.
Table rank_table(std::span<const RankTime> ranks, double step_s) {
  Table table{.columns = {{"name", "rank"},
                          {"busy_s", "computes", Show::percent},
                          {"idle_s", "waits", Show::percent}}};
  for (const RankTime& rank : ranks) {
    for (const auto& [name, time] : rank.streams) {
      if (std::ranges::find(table.columns, name, &Column::key) == table.columns.end()) {
        table.columns.push_back({name, name, Show::percent});
      }
    }
  }
  for (const RankTime& rank : ranks) {
    std::vector<Cell> row(table.columns.size());
    row[0] = rank.name;
    row[1] = rank.busy_s / step_s;
    row[2] = rank.idle_s / step_s;
    for (const auto& [name, time] : rank.streams) {
      for (std::size_t i = 3; i < row.size(); ++i) {
        if (table.columns[i].key == name) row[i] = time / step_s;
      }
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Document timeline_document(const Simulation& simulation, std::span<const RankTime> ranks,
                           const std::string& file) {
  Document document{.title = simulation.scenario.name};
  if (file.empty()) {
    document.add(Paragraph{simulation.scenario.name + ": no picture, as no step ends: " +
                           reason(simulation).value_or("") + "."});
    return document;
  }
  document.add(Paragraph{simulation.scenario.name + ": one step of the event engine takes " +
                         duration(simulation.report.step) + ". Shares of it:"});
  document.add(rank_table(ranks, simulation.report.step.value));
  document.add(Paragraph{"Open " + file + " in a browser."});
  return document;
}

Json timeline_json(const Simulation& simulation, std::span<const RankTime> ranks) {
  const bool ended = has_step(simulation);
  Json document = support::new_document("timeline");
  document["scenario"] = simulation.scenario.name;
  document["scenario_sha256"] = simulation.scenario.sha256;
  document["config"] = config_json(simulation.config);
  document["status"] = status_of(simulation);
  document["why"] = json_of(Cell(reason(simulation)));
  document["step_time_s"] = ended ? Json(simulation.report.step.value) : Json();
  document["ranks"] = Json::array();
  for (const RankTime& rank : ranks) {
    Json streams = Json::array();
    for (const auto& [name, time] : rank.streams) {
      streams.push_back({{"name", name}, {"busy_s", time}});
    }
    document["ranks"].push_back({{"rank", rank.rank},
                                 {"name", rank.name},
                                 {"busy_s", rank.busy_s},
                                 {"idle_s", rank.idle_s},
                                 {"streams", std::move(streams)}});
  }
  return document;
}

}  // namespace cubicbench::results
