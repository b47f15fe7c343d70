#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/logs/given_columns.h"
#include "datasets/logs/logged_run.h"
#include "datasets/tables/measurement.h"

namespace cubicbench::datasets {

/// A log as a row of a table.
struct ReadLog {
  std::string file;  ///< as messages name it
  std::string format, version;
  Measurement row;
  std::vector<std::string> missing;  ///< columns that the simulator needs beside
  /// Everything that looks like a record and was not understood, each once, in file order.
  std::vector<NotUnderstood> not_understood;
};

/// Reads a log of any of the formats (docs/logs.md). Throws InputError, `FILE:LINE: expected ...,
/// got ...`, for a log of no format, numbers that cannot be, statements that contradict each other,
/// and a log that says nothing of time and memory.
ReadLog read_log(std::string_view bytes, const std::string& file, GivenColumns given = {});

/// Is it the name of a file that is read as a log and not as a table: does it end in .log, .txt,
/// .out, .err, .jsonl or .json?
bool is_log_path(std::string_view name);

/// Is there a folder at this path?
bool is_folder_of_logs(const std::string& path);

/// Does one of the formats recognise the text?
bool is_of_known_format(std::string_view bytes);

/// Reads the logs at these paths; of a folder, all files in it whose names are those of logs, by
/// name. Throws InputError with everything that is wrong with any of them.
std::vector<ReadLog> read_logs(std::span<const std::string> paths, GivenColumns given = {});

/// Their rows as one table, called `name`.
Measurements table_of(const std::vector<ReadLog>& logs, const std::string& name);

}  // namespace cubicbench::datasets
