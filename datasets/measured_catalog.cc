#include "datasets/measured_catalog.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "datasets/embedded.h"
#include "datasets/job_history.h"
#include "scenarios/files.h"
#include "scenarios/input_error.h"
#include "scenarios/suggestion.h"

namespace cubicbench::datasets {
namespace {

constexpr std::string_view history_name = "llm-history";

constexpr std::array all{
    NamedDataset{"hf_ultrascale_nanotron_sweep",
                 "Measured: 2,893 nanotron runs of the Ultra-Scale Playbook, 8 to 512 H100, 1.3 B "
                 "to 469 B parameters, 853 with a clean time and 1,359 out of memory"},
    NamedDataset{history_name,
                 "Generated: a year of 1,000 language-model jobs on 8 to 16,384 GPUs, growing with "
                 "time; see dataset generate"},
};

[[noreturn]] void refuse_unknown(const std::string& name, const std::string& where) {
  std::vector<std::string_view> names;
  for (const NamedDataset& dataset : all) names.push_back(dataset.name);
  throw scenarios::InputError(
      where, "expected a dataset (see cubicbench list datasets) or the path of a CSV file, got \"" +
                 scenarios::shortened(name) + "\"" + scenarios::did_you_mean(name, names));
}

/// A table that is compiled into the program.
TableText embedded_table(const std::string& name) {
  const std::string path = "measured/" + name + ".csv";
  for (const scenarios::EmbeddedFile& file : embedded_files()) {
    if (file.path == path) {
      return {.file = name, .name = name, .text = std::string(file.text)};
    }
  }
  throw scenarios::InputError(name, "expected a table in the program, got none");
}

}  // namespace

std::span<const NamedDataset> named_datasets() { return all; }

bool is_table_path(std::string_view name_or_path) {
  return name_or_path.find('/') != std::string_view::npos || name_or_path.ends_with(".csv");
}

TableText find_table(const std::string& name_or_path, const std::string& where, int threads) {
  if (is_table_path(name_or_path)) {
    return {.file = name_or_path,
            .name = std::filesystem::path(name_or_path).stem().string(),
            .text = scenarios::read_file(name_or_path)};
  }
  if (std::ranges::find(all, name_or_path, &NamedDataset::name) == all.end()) {
    refuse_unknown(name_or_path, where);
  }
  if (name_or_path != history_name) return embedded_table(name_or_path);
  return {.file = name_or_path,
          .name = name_or_path,
          .text = measurements_csv(job_history(HistoryOptions{}, threads))};
}

Measurements find_measurements(const std::string& name_or_path, const std::string& where,
                               int threads) {
  const TableText table = find_table(name_or_path, where, threads);
  Measurements measurements = read_measurements(table.text, table.file);
  measurements.name = table.name;
  return measurements;
}

}  // namespace cubicbench::datasets
