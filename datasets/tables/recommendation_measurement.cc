#include "datasets/tables/recommendation_measurement.h"

#include <array>
#include <filesystem>

#include "datasets/tables/row_table.h"

namespace cubicbench::datasets {
namespace {

using Job = RecommendationMeasurement;

constexpr std::array job_columns{
    RowColumn<Job>{"id", &Job::id},
    RowColumn<Job>{"source", &Job::source},
    RowColumn<Job>{"mlperf_round", &Job::round},
    RowColumn<Job>{"submitter", &Job::submitter},
    RowColumn<Job>{"system", &Job::system},
    RowColumn<Job>{"model", &Job::model},
    RowColumn<Job>{"benchmark", &Job::model},
    RowColumn<Job>{"n_nodes", &Job::n_nodes},
    RowColumn<Job>{"accel_per_node", &Job::accel_per_node},
    RowColumn<Job>{"n_accel", &Job::n_accel},
    RowColumn<Job>{"accelerator", &Job::accelerator},
    RowColumn<Job>{"nic", &Job::nic},
    RowColumn<Job>{"framework", &Job::framework},
    RowColumn<Job>{"precision", &Job::precision},
    RowColumn<Job>{"optimizer", &Job::optimizer},
    RowColumn<Job>{"interaction", &Job::interaction},
    RowColumn<Job>{"global_batch", &Job::global_batch},
    RowColumn<Job>{"batch_per_gpu", &Job::batch_per_gpu},
    RowColumn<Job>{"samples_per_s_incl_eval_median", &Job::samples_per_s},
    RowColumn<Job>{"samples_per_s", &Job::samples_per_s},
    RowColumn<Job>{"repeat_of_round", &Job::repeat_of_round},
    RowColumn<Job>{"n_gpus_per_node", &Job::accel_per_node},
    RowColumn<Job>{"vocab", &Job::vocab},
    RowColumn<Job>{"embedding_dim", &Job::embedding_dim},
    RowColumn<Job>{"mlp_hidden", &Job::mlp_hidden},
    RowColumn<Job>{"tflops_per_gpu", &Job::tflops_per_gpu},
    RowColumn<Job>{"peak_mem_mib", &Job::peak_mem_mib},
    RowColumn<Job>{"oom", &Job::oom, ZeroCell::empty},
    RowColumn<Job>{"quality", &Job::quality},
    RowColumn<Job>{"notes", &Job::notes},
};

}  // namespace

bool has_recommendation_columns(const std::vector<std::string>& header) {
  const auto holds = [&](std::string_view name) { return has_column(header, name); };
  return holds("n_accel") && (holds("samples_per_s_incl_eval_median") || holds("samples_per_s"));
}

RecommendationMeasurements read_recommendation_measurements(const support::CsvTable& table,
                                                            const std::string& file) {
  require_columns(table,
                  std::array<ColumnChoice, 2>{
                      {{"n_accel"}, {"samples_per_s", "samples_per_s_incl_eval_median"}}},
                  file);
  return {.file = file,
          .name = std::filesystem::path(file).stem().string(),
          .rows = read_rows<Job>(table, job_columns, file)};
}

}  // namespace cubicbench::datasets
