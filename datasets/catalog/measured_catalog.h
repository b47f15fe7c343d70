#pragma once

#include <span>
#include <string>
#include <string_view>

#include "datasets/logs/given_columns.h"
#include "datasets/tables/kernel_measurement.h"
#include "datasets/tables/measurement.h"
#include "datasets/tables/recommendation_measurement.h"

namespace cubicbench::datasets {

/// What a row of a table is.
enum class DatasetKind { runs, collectives, recommendation };

/// "runs", "collectives", "recommendation".
std::string_view name_of(DatasetKind kind);

/// A table that is known by name.
struct NamedDataset {
  std::string_view name;
  DatasetKind kind = DatasetKind::runs;
  bool measured = true;  ///< and compiled into the program; generated otherwise
  std::string_view summary;
};

/// What `list datasets` lists, sorted by name: measured tables, and `llm-history`, which is
/// generated with the defaults of HistoryOptions.
std::span<const NamedDataset> named_datasets();

/// Is this the name of a table of recommendation results?
bool is_recommendation_table(std::string_view name);

/// Is this the path of a table (it holds a '/', or ends in .csv or as logs do) and no name?
bool is_table_path(std::string_view name_or_path);

/// The CSV text of a table.
struct TableText {
  std::string file;  ///< as messages name it
  std::string name;  ///< of the dataset: its name or the stem of the file's
  std::string text;
};

/// Is this the path of a log of a training program (is_log_path()), or of a folder of logs?
bool names_logs(const std::string& name_or_path);

/// The text of a named dataset or of a file. A log is read as a table of one row, a folder as one
/// of a row a log, with what is `given` beside them; a path whose ending is that of logs is a table
/// where it is no log and does not end in .log. Throws InputError: at `where` for an unknown name,
/// with a suggestion; at the path for a file that cannot be read. Uses up to `threads` threads (0:
/// all cores) for what is generated.
TableText find_table(const std::string& name_or_path, const std::string& where, int threads = 0,
                     GivenColumns given = {});

/// Reads the training runs of a named table (`list datasets`) or, when is_table_path(), of a file,
/// as find_table() does. Throws InputError at `where` for an unknown name, with a suggestion. Uses
/// up to `threads` threads (0: all cores) for a table that is generated.
Measurements find_measurements(const std::string& name_or_path, const std::string& where,
                               int threads = 0, GivenColumns given = {});
/// The same of recommendation results.
RecommendationMeasurements find_recommendation_measurements(const std::string& name_or_path,
                                                            const std::string& where);

/// A table of kernels that were timed on their own, as it is compiled into the program.
struct NamedKernelTable {
  std::string_view name;
  std::string_view summary;
};

/// Sorted by name. Nobody learns from them or is validated on them: constants of devices are
/// fitted to them.
std::span<const NamedKernelTable> named_kernel_tables();

/// Is this the name of one?
bool is_kernel_table(std::string_view name);

/// Reads the one of that name. Requires that it is there.
KernelMeasurements find_kernel_measurements(std::string_view name);

}  // namespace cubicbench::datasets
