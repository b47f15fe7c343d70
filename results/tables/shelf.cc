#include "results/tables/shelf.h"

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "predictor/learners/registry.h"
#include "results/document/json.h"
#include "results/tables/scenario_sizes.h"
#include "scenarios/catalog.h"
#include "search/searchers/registry.h"
#include "support/json/canonical.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using datasets::NamedDataset;
using predictor::PredictorEntry;
using scenarios::Entry;
using scenarios::Kind;
using search::SearcherEntry;
using search::SearcherOption;
using Json = nlohmann::ordered_json;

/// The library's shelf of that name.
Kind kind_of(std::string_view shelf) {
  if (shelf == "families") return Kind::family;
  if (shelf == "devices") return Kind::device;
  if (shelf == "suites") return Kind::suite;
  return shelf == "networks" ? Kind::network : Kind::stack;
}

/// A scenario of the library.
struct SizedEntry {
  Entry entry;
  ScenarioSize size;
};

/// ". Options: population=50 (1 to 100000; what it means), ...", with the defaults.
std::string options_text(std::span<const SearcherOption> options) {
  std::string text;
  for (const SearcherOption& option : options) {
    text += (text.empty() ? ". Options: " : ", ") + std::string(option.name) + "=" +
            support::shortest(option.otherwise) + " (" + bound_text(option, option.min) + " to " +
            bound_text(option, option.max) + "; " + std::string(option.summary) + ")";
  }
  return text;
}

template <auto member>
Cell number_of(const SearcherOption& option) {
  const double value = option.*member;
  return option.integer ? Cell(static_cast<std::int64_t>(value)) : Cell(value);
}

const Field<SearcherOption> option_fields[] = {
    {{"name", ""}, &SearcherOption::name},
    {{"summary", ""}, &SearcherOption::summary},
    {{"default", ""}, number_of<&SearcherOption::otherwise>},
    {{"min", ""}, number_of<&SearcherOption::min>},
    {{"max", ""}, number_of<&SearcherOption::max>},
    {{"integer", ""}, &SearcherOption::integer}};

const Field<SearcherEntry> searcher_fields[] = {
    {{"name", "NAME"}, &SearcherEntry::name},
    {{"summary", ""}, &SearcherEntry::summary},
    {{.key = "about", .heading = "SUMMARY", .in_json = false}, [](const SearcherEntry& entry) {
       return Cell(std::string(entry.summary) + options_text(entry.options));
     }}};

const Field<PredictorEntry> predictor_fields[] = {
    {{"name", "NAME"}, &PredictorEntry::name},
    {{"summary", "SUMMARY"}, &PredictorEntry::summary},
    {{.key = "privileged",
      .heading = "PRIVILEGED",
      .help = "asks the simulator, which also makes simulated data"},
     &PredictorEntry::asks_simulator}};

const Field<NamedDataset> dataset_fields[] = {
    {{"name", "NAME"}, &NamedDataset::name},
    {{"summary", "SUMMARY"}, &NamedDataset::summary},
    {{"kind", ""}, [](const NamedDataset& dataset) { return name_of(dataset.kind); }},
    {{"measured", ""}, &NamedDataset::measured}};

const Field<SizedEntry> scenario_fields[] = {
    {{"name", "NAME"}, of_member<&SizedEntry::entry, &Entry::name>},
    {{"summary", "SUMMARY"}, of_member<&SizedEntry::entry, &Entry::summary>},
    {{"gpus", "GPUS", Show::count}, of_member<&SizedEntry::size, &ScenarioSize::gpus>},
    {{"configurations", "CONFIGURATIONS", Show::count},
     of_member<&SizedEntry::size, &ScenarioSize::configurations>}};

const Field<Entry> entry_fields[] = {{{"name", "NAME"}, &Entry::name},
                                     {{"summary", "SUMMARY"}, &Entry::summary}};

Table scenario_table() {
  std::vector<SizedEntry> entries;
  for (const Entry& entry : scenarios::names(Kind::scenario)) {
    entries.push_back({.entry = entry, .size = size_of_scenario(entry.name)});
  }
  return table_of<SizedEntry>(entries, scenario_fields);
}

Table table_of_shelf(std::string_view shelf) {
  if (shelf == "searchers") return table_of<SearcherEntry>(search::searchers(), searcher_fields);
  if (shelf == "predictors") {
    return table_of<PredictorEntry>(predictor::predictors(), predictor_fields);
  }
  if (shelf == "datasets") {
    return table_of<NamedDataset>(datasets::named_datasets(), dataset_fields);
  }
  if (shelf == "scenarios") return scenario_table();
  return table_of<Entry>(scenarios::names(kind_of(shelf)), entry_fields);
}

}  // namespace

Json shelf_json(std::string_view shelf) {
  const Table table = table_of_shelf(shelf);
  Json document = support::new_document("list");
  document[std::string(shelf)] = json_of(table);
  if (shelf == "searchers") {
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      document[std::string(shelf)][i]["options"] =
          json_of(table_of<SearcherOption>(search::searchers()[i].options, option_fields));
    }
  }
  return document;
}

Document shelf_document(std::string_view shelf) {
  const Table table = table_of_shelf(shelf);
  Document document;
  if (table.rows.empty()) {
    document.add(Paragraph{"No " + std::string(shelf) + " ship with this version."});
    return document;
  }
  document.add(shelf == "scenarios" ? chosen(table, {"name", "gpus", "configurations", "summary"})
                                    : table);
  document.add(Paragraph{help_text(table)});
  return document;
}

}  // namespace cubicbench::results
