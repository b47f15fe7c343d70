#pragma once

#include <functional>
#include <string>

#include "datasets/mapping/library.h"
#include "datasets/tables/collective_measurement.h"
#include "datasets/tables/measurement.h"
#include "datasets/tables/recommendation_measurement.h"
#include "datasets/validation/validated_row.h"
#include "sim/program/workspace.h"

namespace cubicbench::datasets {

/// What rows say of the table that they stand in.
struct TableName {
  std::string source;  ///< stem of its file: the key of "sources"
  std::string file;    ///< name of its file with extension, without folders
};

/// With whose constants runs are played, and whether the texts that name their software count.
struct Played {
  /// The library that a row is played with; none: that which ships. What it refers to must outlive
  /// the answer, and threads may ask at the same time.
  std::function<const Library&(const Measurement&, const TableName&)> among{};
  bool unnamed = false;  ///< as if neither framework nor stack were stated
};

/// `among`, in which every stack has the constants of `stack`.
Library played_by(const sim::Stack& stack, const Library& among = library());

/// Maps a row and simulates it. A run that was measured to end is timed even where the simulator
/// says that it does not fit, as if memory held anything: that is a wrong verdict on memory and
/// says nothing of time. Threads may call it at the same time, each with a workspace of its own.
ValidatedRow validate_row(const Measurement& measured, const TableName& table,
                          sim::Workspace& workspace, const Played& played = {});
ValidatedRow validate_row(const CollectiveMeasurement& measured, const TableName& table,
                          sim::Workspace& workspace);
/// The measured step is that of the stated batch; the simulated one has as many whole samples on
/// every accelerator as fit into it.
ValidatedRow validate_row(const RecommendationMeasurement& measured, const TableName& table,
                          sim::Workspace& workspace);

}  // namespace cubicbench::datasets
