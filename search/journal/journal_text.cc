#include <array>
#include <charconv>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "search/journal/journal.h"
#include "search/journal/journal_schema.h"
#include "support/json/canonical.h"
#include "support/json/json_document.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;

/// Appends `"key":`, after a comma unless an object has just begun.
void key(std::string& out, std::string_view name) {
  if (out.back() != '{') out += ',';
  out += '"';
  out += name;
  out += "\":";
}

template <class Number>
void append_number(std::string& out, Number value) {
  std::array<char, 32> buffer;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  out.append(buffer.data(), written.ptr);
}

template <class Number>
void number(std::string& out, std::string_view name, Number value) {
  key(out, name);
  append_number(out, value);
}

void number_or_null(std::string& out, std::string_view name, const std::optional<double>& value) {
  if (value) return number(out, name, *value);
  key(out, name);
  out += "null";
}

void name_or_null(std::string& out, std::string_view of, std::string_view name) {
  key(out, of);
  if (name.empty()) {
    out += "null";
    return;
  }
  out += '"';
  out += name;
  out += '"';
}

void append_object(std::string& out, const ConfigText& config) {
  out += '{';
  for (const auto& [name, value] : config) {
    key(out, name);
    out += value;
  }
  out += '}';
}

void append_metrics(std::string& out, const scenarios::TrialOutcome& outcome) {
  out += '{';
  for (const auto& [name, value] : outcome.metrics) {
    if (out.back() != '{') out += ',';
    out += support::json_string(name);
    out += ':';
    append_number(out, value);
  }
  out += '}';
}

}  // namespace

std::string journal_text(const JournalHeader& header) {
  Json options = {{"backend", header.backend}, {"slots", header.slots}};
  // Journals of before have no such keys.
  if (header.start != "none") options["start"] = header.start;
  if (header.permute) options["permute"] = true;
  if (!header.warm_start.empty()) options["warm_start"] = header.warm_start;
  for (const auto& [name, value] : header.searcher_options) options[name] = value;
  Json document = searched_json(journal_schema, header);
  document["searcher"] = header.searcher;
  document["options"] = std::move(options);
  document["telling"] = header.telling;
  document["seed"] = header.seed;
  document["budget"] = {{"trials", header.trials}};
  return support::line_text(document);
}

std::string journal_text(const JournalLine& line) {
  constexpr std::size_t usual_bytes = 1024;
  const scenarios::TrialOutcome& outcome = line.outcome;
  std::string out;
  out.reserve(usual_bytes);
  out += '{';
  number(out, "trial", line.trial);
  number(out, "attempt", line.attempt);
  key(out, "config");
  append_object(out, line.config);
  name_or_null(out, "state", name_of(outcome.state));
  name_or_null(out, "reason", name_of(outcome.reason));
  number_or_null(out, "value", outcome.value);
  key(out, "metrics");
  append_metrics(out, outcome);
  number(out, "cost_gpu_hours", outcome.cost_gpu_hours);
  number(out, "started_h", line.started_h);
  number(out, "finished_h", line.finished_h);
  number(out, "round", line.round);
  number_or_null(out, "fidelity", line.fidelity);
  out += "}\n";
  return out;
}

std::string config_object(const ConfigText& config) {
  std::string out;
  append_object(out, config);
  return out;
}

std::string recommendation_text(const ConfigText& config) {
  return "{\"recommend\":" + config_object(config) + "}\n";
}

}  // namespace cubicbench::search
