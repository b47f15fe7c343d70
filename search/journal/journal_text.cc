#include <algorithm>
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

template <class Number>
void append_number(std::string& out, Number value) {
  std::array<char, 32> buffer;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  out.append(buffer.data(), written.ptr);
}

// Each with its key, which is text: a search writes a dozen for every launch.

template <class Number>
void number(std::string& out, std::string_view key, Number value) {
  out += key;
  append_number(out, value);
}

void number_or_null(std::string& out, std::string_view key, const std::optional<double>& value) {
  if (value) return number(out, key, *value);
  out += key;
  out += "null";
}

void name_or_null(std::string& out, std::string_view key, std::string_view name) {
  out += key;
  if (name.empty()) {
    out += "null";
    return;
  }
  out += '"';
  out += name;
  out += '"';
}

/// `before` and `"name":value`, at once.
void append_member(std::string& out, char before, std::string_view name, std::string_view value) {
  const std::size_t begin = out.size();
  out.resize(begin + name.size() + value.size() + std::string_view(R"(,"":)").size());
  char* at = out.data() + begin;
  *at++ = before;
  *at++ = '"';
  at = std::ranges::copy(name, at).out;
  *at++ = '"';
  *at++ = ':';
  std::ranges::copy(value, at);
}

void append_object(std::string& out, const ConfigText& config) {
  char before = '{';
  for (const auto& [name, value] : config) {
    append_member(out, before, name, value);
    before = ',';
  }
  out += config.empty() ? "{}" : "}";
}

void append_metrics(std::string& out, const scenarios::TrialOutcome& outcome) {
  char before = '{';
  for (const auto& [name, value] : outcome.metrics) {
    out += before;
    out += support::json_string(name);
    number(out, ":", value);
    before = ',';
  }
  out += outcome.metrics.empty() ? "{}" : "}";
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
  number(out, R"({"trial":)", line.trial);
  number(out, R"(,"attempt":)", line.attempt);
  out += R"(,"config":)";
  append_object(out, line.config);
  name_or_null(out, R"(,"state":)", name_of(outcome.state));
  name_or_null(out, R"(,"reason":)", name_of(outcome.reason));
  number_or_null(out, R"(,"value":)", outcome.value);
  out += R"(,"metrics":)";
  append_metrics(out, outcome);
  number(out, R"(,"cost_gpu_hours":)", outcome.cost_gpu_hours);
  number(out, R"(,"started_h":)", line.started_h);
  number(out, R"(,"finished_h":)", line.finished_h);
  number(out, R"(,"round":)", line.round);
  number_or_null(out, R"(,"fidelity":)", line.fidelity);
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
