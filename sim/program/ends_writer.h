#pragma once

#include "sim/program/operation_writer.h"

namespace cubicbench::sim {

/// Columns of the head on one rank. Tensor ranks get equal shares, so that the vocabulary is padded
/// to 128 columns a rank; a head that is whole is taken as it is [docs/models.md, Eq. K-7].
double rank_vocabulary(const Transformer& model, const Plan& plan);

/// Writes what lies outside the layers: embedding, head, and what prediction layers add to theirs.
class EndsWriter : OperationWriter {
 public:
  using OperationWriter::OperationWriter;
  void write();

 private:
  void embedding();
  void head();
  void prediction();
};

}  // namespace cubicbench::sim
