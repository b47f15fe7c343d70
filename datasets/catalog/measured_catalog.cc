#include "datasets/catalog/measured_catalog.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "datasets/jobs/job_history.h"
#include "datasets/logs/read_log.h"
#include "datasets/mapping/measured_json.h"
#include "sim/base/check.h"
#include "support/csv.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/suggestion.h"
#include "support/without_slash.h"

namespace cubicbench::datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view history_name = "llm-history";

constexpr std::array all{
    NamedDataset{"bigscience_bloom_prequel", DatasetKind::runs, true,
                 "Training runs, measured: 94 trial runs before BLOOM with Megatron-DeepSpeed, 18 "
                 "B to 206 B parameters on 8 to 384 A100, with memory"},
    NamedDataset{"dlperf_llm", DatasetKind::runs, true,
                 "Training runs, measured: 50 runs of small GPT models with OneFlow, Megatron-LM "
                 "and DeepSpeed on 1 to 32 V100, 32 with memory"},
    NamedDataset{"flagperf", DatasetKind::runs, true,
                 "Training runs, measured: 42 FlagPerf runs with Megatron-LM, DeepSpeed and "
                 "PaddlePaddle on 8 A100 and A800, with memory"},
    NamedDataset{"hf_ultrascale_nanotron_sweep", DatasetKind::runs, true,
                 "Training runs, measured: 2,893 nanotron runs of the Ultra-Scale Playbook, 8 to "
                 "512 H100, 1.3 B to 469 B parameters, 853 with a clean time and 1,359 out of "
                 "memory"},
    NamedDataset{"ibm_fms_fsdp", DatasetKind::runs, true,
                 "Training runs, measured: 12 FSDP runs of Llama 2 models on 96 to 128 A100 and "
                 "H100"},
    NamedDataset{"internevo", DatasetKind::runs, true,
                 "Training runs, measured: 70 InternEvo runs of models of 7 B parameters on up to "
                 "1,024 A100 and A800"},
    NamedDataset{history_name, DatasetKind::runs, false,
                 "Training runs, generated: a year of 1,000 language-model jobs on 8 to 16,384 "
                 "GPUs, growing with time; see dataset generate"},
    NamedDataset{"maxtext_tpu_gpu", DatasetKind::runs, true,
                 "Training runs, measured: 51 utilisations of MaxText on 16 to 8,192 TPUs and on "
                 "H100, without batch or layout"},
    NamedDataset{"megatron_core_ci_golden", DatasetKind::runs, true,
                 "Training runs, measured: 140 small runs of Megatron-Core's own tests on up to 8 "
                 "A100, H100 and GB200, with memory"},
    NamedDataset{"mlperf_dlrm_results", DatasetKind::recommendation, true,
                 "Recommendation models, measured: 15 MLPerf results of DLRM-DCNv2 on 8 and 64 "
                 "GPUs, A100 to GB200"},
    NamedDataset{"mlperf_llm_pretraining", DatasetKind::runs, true,
                 "Training runs, measured: 13 MLPerf runs of GPT-3 175B on 512 to 10,752 H100"},
    NamedDataset{"mosaicml_llm_foundry", DatasetKind::runs, true,
                 "Training runs, measured: 203 FSDP runs of MPT models with LLM Foundry, 0.1 B to "
                 "65 B parameters on 8 to 512 A100 and H100"},
    NamedDataset{"nccl_tests_sweeps", DatasetKind::collectives, true,
                 "Collectives, measured: 1,220 message sizes of nccl-tests on 20 systems of A100, "
                 "H100, B200 and GB200, 2 to 144 GPUs"},
    NamedDataset{"neuron_trn1", DatasetKind::runs, true,
                 "Training runs, measured: 37 runs of Llama and GPT-3 on 512 and 1,024 cores of "
                 "AWS Trainium over releases of its software"},
    NamedDataset{"nvidia_dgxc_benchmarking", DatasetKind::runs, true,
                 "Training runs, measured: 130 runs of DGX Cloud's recipes with NeMo, MaxText and "
                 "PaxML on 8 to 2,048 H100"},
    NamedDataset{"nvidia_megatron_bridge", DatasetKind::runs, true,
                 "Training runs, measured: 238 vendor-tuned runs with Megatron-Bridge, dense and "
                 "mixture of experts, on 8 to 1,024 H100 to GB300"},
    NamedDataset{"nvidia_nemo_docs", DatasetKind::runs, true,
                 "Training runs, measured: 27 runs of NeMo's performance pages in fp8 on 4 to "
                 "1,024 H100, 12 with their layout"},
    NamedDataset{"other_collective_points", DatasetKind::collectives, true,
                 "Collectives, measured: 120 points of other collective benchmarks on up to 256 "
                 "accelerators"},
    NamedDataset{"other_frameworks", DatasetKind::runs, true,
                 "Training runs, measured: 78 runs of SimuMax, KempnerForge and Colossal-AI on 1 "
                 "to 32 H200 and B200, with memory"},
    NamedDataset{"papers_and_reports", DatasetKind::runs, true,
                 "Training runs, measured: 58 runs stated in papers and reports, on 8 to 16,384 "
                 "GPUs"},
    NamedDataset{"torchtitan", DatasetKind::runs, true,
                 "Training runs, measured: 23 FSDP2 runs of Llama models with torchtitan on 8 to "
                 "128 A100, H100 and H200, with memory"},
    NamedDataset{"tpu_recipes", DatasetKind::runs, true,
                 "Training runs, measured: 53 MaxText runs on 8 to 1,024 TPU v5p, v6e and v7x"},
    NamedDataset{"training_throughput", DatasetKind::recommendation, true,
                 "Recommendation models, measured: 38 training rates of DLRM and DCNv2 on 1 to 16 "
                 "V100 and A100"},
    NamedDataset{"vtrain", DatasetKind::runs, true,
                 "Training runs, measured: 1,127 runs of GPT models with Megatron-DeepSpeed on 2 "
                 "to 512 A100"},
    NamedDataset{"vtrain_allreduce_luts", DatasetKind::collectives, true,
                 "Collectives, measured: 756 all-reduces within a node of V100 or A100, 1 MiB to "
                 "1 GiB"},
    NamedDataset{"wide_deep_hstu", DatasetKind::recommendation, true,
                 "Recommendation models, measured: 199 results, 187 of Wide & Deep with HugeCTR "
                 "and OneFlow on 1 to 32 V100, with memory, and 12 of HSTU on 16 H100"},
    NamedDataset{"xla_collective_tables", DatasetKind::collectives, true,
                 "Collectives, measured: 2,218 entries of XLA's tables of collectives, H100 to "
                 "GB300, 2 to 64 GPUs"},
};

[[noreturn]] void refuse_unknown(const std::string& name, const std::string& where) {
  std::vector<std::string_view> names;
  for (const NamedDataset& dataset : all) names.push_back(dataset.name);
  throw support::InputError(
      where, "expected a dataset (see cubicbench list datasets) or the path of a CSV file, got \"" +
                 support::shortened(name) + "\"" + support::did_you_mean(name, names));
}

/// The name of a table: of a file without its ending.
std::string stem_of(const std::string& path) {
  fs::path place(path);
  if (!place.has_filename()) place = place.parent_path();
  return place.stem().string();
}

/// A file as a table: a CSV file as it is, logs as the table of what they say.
TableText file_text(const std::string& path, GivenColumns given) {
  const std::string name = stem_of(path);
  if (is_folder_of_logs(path)) {
    return {.file = support::without_slash(path).string(),
            .name = name,
            .text = measurements_csv(table_of(read_logs(std::array{path}, given), name))};
  }
  std::string bytes = support::read_file(path);
  const bool is_log = path.ends_with(".log") || (is_log_path(path) && is_of_known_format(bytes));
  if (!is_log) return {.file = path, .name = name, .text = std::move(bytes)};
  return {.file = path,
          .name = name,
          .text = measurements_csv(table_of({read_log(bytes, path, given)}, name))};
}

constexpr std::array kernels{
    NamedKernelTable{.name = "attention_points",
                     .summary = "362 rates of attention kernels on A100, H100, H200 and B200"},
    NamedKernelTable{.name = "gemm_points",
                     .summary = "3,039 rates of matrix products on A100 to GB200, MI210 to MI355X"},
    NamedKernelTable{.name = "memory_bound_points",
                     .summary = "164 rates of kernels that stream, A100 to H200"},
};

}  // namespace

std::span<const NamedDataset> named_datasets() { return all; }

std::string_view name_of(DatasetKind kind) {
  constexpr std::array<std::string_view, 3> names{"runs", "collectives", "recommendation"};
  return names[static_cast<std::size_t>(kind)];
}

bool is_recommendation_table(std::string_view name) {
  return std::ranges::any_of(all, [&](const NamedDataset& dataset) {
    return dataset.kind == DatasetKind::recommendation && dataset.name == name;
  });
}

bool is_table_path(std::string_view name_or_path) {
  return name_or_path.find('/') != std::string_view::npos || name_or_path.ends_with(".csv") ||
         is_log_path(name_or_path);
}

bool names_logs(const std::string& name_or_path) {
  return is_log_path(name_or_path) ||
         (is_table_path(name_or_path) && is_folder_of_logs(name_or_path));
}

TableText find_table(const std::string& name_or_path, const std::string& where, int threads,
                     GivenColumns given) {
  if (is_table_path(name_or_path)) return file_text(name_or_path, given);
  if (std::ranges::find(all, name_or_path, &NamedDataset::name) == all.end()) {
    refuse_unknown(name_or_path, where);
  }
  return {.file = name_or_path,
          .name = name_or_path,
          .text = name_or_path == history_name
                      ? measurements_csv(job_history(HistoryOptions{}, threads))
                      : std::string(measured_json(name_or_path + ".csv"))};
}

Measurements find_measurements(const std::string& name_or_path, const std::string& where,
                               int threads, GivenColumns given) {
  const TableText table = find_table(name_or_path, where, threads, given);
  Measurements measurements = read_measurements(table.text, table.file);
  measurements.name = table.name;
  return measurements;
}

RecommendationMeasurements find_recommendation_measurements(const std::string& name_or_path,
                                                            const std::string& where) {
  const TableText table = find_table(name_or_path, where);
  return read_recommendation_measurements(support::read_csv(table.text, table.file), table.file);
}

std::span<const NamedKernelTable> named_kernel_tables() { return kernels; }

bool is_kernel_table(std::string_view name) {
  return std::ranges::find(kernels, name, &NamedKernelTable::name) != kernels.end();
}

KernelMeasurements find_kernel_measurements(std::string_view name) {
  SIM_ASSERT(is_kernel_table(name), name.size());
  const std::string file(name);
  KernelMeasurements table =
      read_kernel_measurements(support::read_csv(measured_json(file + ".csv"), file), file);
  table.name = name;
  return table;
}

}  // namespace cubicbench::datasets
