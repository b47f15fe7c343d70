#include "sim/program/operation_writer.h"

namespace cubicbench::sim {

void OperationWriter::gemm(const GemmShape& shape, double count, Dtype dtype, StepPart part) {
  program_.operations.push_back(
      {.kind = OperationKind::gemm, .part = part, .dtype = dtype, .count = count, .gemm = shape});
}

void OperationWriter::memory_bound(Bytes bytes, StepPart part) {
  program_.operations.push_back(
      {.kind = OperationKind::memory_bound, .part = part, .bytes = bytes});
}

void OperationWriter::tensor_traffic(const TensorTraffic& traffic, Dtype gathered) {
  if (plan_.tensor_parallel == 1) return;
  const auto add = [&](OperationKind kind, double count, Bytes bytes) {
    collective(kind, Stream::tensor, StepPart::tensor_communication, count, bytes);
  };
  const Bytes whole{storage_bytes(plan_.param_dtype) * tokens_ * h_};
  if (!plan_.sequence_parallel) {
    add(OperationKind::all_reduce, traffic.reductions, whole);
  } else if (gathered < Dtype::fp8) {
    add(OperationKind::gather, traffic.gathers + traffic.scatters, whole);
  } else {
    add(OperationKind::gather, traffic.scatters, whole);
    add(OperationKind::gather, traffic.gathers, Bytes{wire_bytes(gathered) * tokens_ * h_});
  }
}

void OperationWriter::collective(OperationKind kind, Stream stream, StepPart part, double count,
                                 Bytes bytes) {
  program_.operations.push_back(
      {.kind = kind, .stream = stream, .part = part, .count = count, .bytes = bytes});
}

}  // namespace cubicbench::sim
