#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cubicbench::support {
struct CsvTable;
}

namespace cubicbench::datasets {

/// One training result of a recommendation model. An empty cell is an empty string or nothing.
struct RecommendationMeasurement {
  std::size_t line = 0;                                 ///< in its file, from 1
  std::string id;                                       ///< `STEM:LINE` where the file has none
  std::string source, round, submitter, system, model;  ///< `model` or `benchmark`
  std::optional<std::int64_t> n_nodes, accel_per_node, n_accel;
  std::string accelerator, nic, framework, precision, optimizer;
  std::string interaction;  ///< how the features meet: "dot", "DCN v2", "cross v2"
  std::optional<std::int64_t> global_batch, batch_per_gpu;
  std::optional<double> samples_per_s;  ///< `samples_per_s_incl_eval_median` or `samples_per_s`
  std::string repeat_of_round;          ///< a result that was carried over
  std::optional<std::int64_t> vocab, embedding_dim;  ///< of models whose tables vary
  std::string mlp_hidden;                            ///< layers and their width: "7x1024"
  std::optional<double> tflops_per_gpu;  ///< by the source's own count (datasets/mapping)
  std::optional<double> peak_mem_mib;    ///< of the device, all processes
  std::optional<std::int64_t> oom;       ///< 1: out of memory
  std::string quality;                   ///< "flag": fails a check of self-consistency
  std::string notes;
};

struct RecommendationMeasurements {
  std::string file;  ///< as messages name it
  std::string name;  ///< file stem
  std::vector<RecommendationMeasurement> rows;
};

/// Are these the columns of such results: is there an `n_accel`, and samples a second?
bool has_recommendation_columns(const std::vector<std::string>& header);

/// Reads rows that are cut into cells. Columns may stand in any order, unknown ones are ignored.
/// Throws InputError, `FILE:LINE:COLUMN: expected ..., got ...`, with every problem.
RecommendationMeasurements read_recommendation_measurements(const support::CsvTable& table,
                                                            const std::string& file);

}  // namespace cubicbench::datasets
