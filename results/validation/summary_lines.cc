#include <algorithm>

#include "datasets/fits/in_sample.h"
#include "results/validation/validation_sections.h"

namespace cubicbench::results {
namespace {

using datasets::InSample;

/// None of the tables that ship.
bool is_own(const std::string& source) {
  return datasets::find_in_sample(datasets::in_samples().sources, source) == nullptr;
}

bool has_own_sources(const Summaries& summaries) {
  return std::ranges::any_of(summaries.sources, [](const auto& of) { return is_own(of.first); });
}

std::string fitted_to(const std::vector<InSample>& among, const std::string& name) {
  const InSample* const found = datasets::find_in_sample(among, name);
  return found == nullptr ? "" : std::string(name_of(found->fitted));
}

std::vector<NamedSummary> source_lines(const Summaries& summaries, bool Summary::*is_of_kind,
                                       const char* all_name, const Summary& all) {
  std::vector<NamedSummary> lines;
  for (const auto& [name, of] : summaries.sources) {
    if (!(of.*is_of_kind)) continue;
    lines.push_back({name, fitted_to(datasets::in_samples().sources, name), &of});
  }
  const auto rows = [](const Summary& of) { return of.rows + of.skipped; };
  const bool is_repeated = lines.size() == 1 && rows(*lines.front().of) == rows(all);
  if (!lines.empty() && !is_repeated) lines.push_back({all_name, "", &all});
  return lines;
}

}  // namespace

std::vector<NamedSummary> run_lines(const Summaries& summaries) {
  return source_lines(summaries, &Summary::has_runs, "all runs", summaries.runs);
}

std::vector<NamedSummary> collective_lines(const Summaries& summaries) {
  return source_lines(summaries, &Summary::has_collectives, "all collectives",
                      summaries.collectives);
}

std::vector<NamedSummary> part_lines(const Summaries& summaries) {
  const bool own = has_own_sources(summaries);
  std::vector<NamedSummary> lines;
  for (const auto& [name, of] : summaries.parts) {
    lines.push_back({name, own ? "" : fitted_to(datasets::in_samples().parts, name), &of});
  }
  return lines;
}

std::vector<NamedRows> sources_of(const Validation& validation, bool collectives) {
  std::vector<NamedRows> sources = rows_by(all_rows(validation), &ValidatedRow::source);
  std::erase_if(sources, [&](const NamedRows& of) {
    return (of.rows.front()->kind == RowKind::collective) != collectives;
  });
  return sources;
}

std::vector<std::string> in_sample_lines(const Summaries& summaries) {
  std::vector<std::string> lines;
  const auto add = [&](const std::vector<InSample>& among, const auto& shown) {
    for (const auto& [name, summary] : shown) {
      const InSample* const found = datasets::find_in_sample(among, name);
      if (found == nullptr) continue;
      lines.push_back(name + ": " + std::string(name_of(found->fitted)) + ", " + found->why);
    }
  };
  add(datasets::in_samples().sources, summaries.sources);
  if (!has_own_sources(summaries)) add(datasets::in_samples().parts, summaries.parts);
  return lines;
}

}  // namespace cubicbench::results
