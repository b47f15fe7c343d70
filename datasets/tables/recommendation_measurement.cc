#include "datasets/tables/recommendation_measurement.h"

#include <array>
#include <filesystem>

#include "datasets/tables/row_table.h"

namespace cubicbench::datasets {
namespace {

using Row = RecommendationMeasurement;

constexpr std::array columns{
    RowColumn<Row>{"id", &Row::id},
    RowColumn<Row>{"source", &Row::source},
    RowColumn<Row>{"mlperf_round", &Row::round},
    RowColumn<Row>{"submitter", &Row::submitter},
    RowColumn<Row>{"system", &Row::system},
    RowColumn<Row>{"model", &Row::model},
    RowColumn<Row>{"benchmark", &Row::model},
    RowColumn<Row>{"n_nodes", &Row::n_nodes},
    RowColumn<Row>{"accel_per_node", &Row::accel_per_node},
    RowColumn<Row>{"n_accel", &Row::n_accel},
    RowColumn<Row>{"accelerator", &Row::accelerator},
    RowColumn<Row>{"nic", &Row::nic},
    RowColumn<Row>{"framework", &Row::framework},
    RowColumn<Row>{"precision", &Row::precision},
    RowColumn<Row>{"optimizer", &Row::optimizer},
    RowColumn<Row>{"interaction", &Row::interaction},
    RowColumn<Row>{"global_batch", &Row::global_batch},
    RowColumn<Row>{"batch_per_gpu", &Row::batch_per_gpu},
    RowColumn<Row>{"samples_per_s_incl_eval_median", &Row::samples_per_s},
    RowColumn<Row>{"samples_per_s", &Row::samples_per_s},
    RowColumn<Row>{"repeat_of_round", &Row::repeat_of_round},
    RowColumn<Row>{"n_gpus_per_node", &Row::accel_per_node},
    RowColumn<Row>{"vocab", &Row::vocab},
    RowColumn<Row>{"embedding_dim", &Row::embedding_dim},
    RowColumn<Row>{"mlp_hidden", &Row::mlp_hidden},
    RowColumn<Row>{"tflops_per_gpu", &Row::tflops_per_gpu},
    RowColumn<Row>{"peak_mem_mib", &Row::peak_mem_mib},
    RowColumn<Row>{"oom", &Row::oom, ZeroCell::empty},
    RowColumn<Row>{"quality", &Row::quality},
    RowColumn<Row>{"notes", &Row::notes},
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
          .rows = read_rows<Row>(table, columns, file)};
}

}  // namespace cubicbench::datasets
