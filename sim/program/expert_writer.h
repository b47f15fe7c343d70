#pragma once

#include "sim/program/operation_writer.h"

namespace cubicbench::sim {

/// Writes what a layer's experts add to its products: routing, and tokens on their way to the
/// experts and back [docs/models.md, section X].
class ExpertWriter : OperationWriter {
 public:
  ExpertWriter(const Transformer& model, const Plan& plan, const Stack& stack, StepProgram& program,
               const ExpertShare& share)
      : OperationWriter(model, plan, stack, program), share_(share) {}

  void forward(StepPart products, StepPart routing);
  void backward();

 private:
  void routing(StepPart part);
  void one_hot_products(bool backward, StepPart part);
  void exchanges();
  void exchange(double bytes_an_element);
  void gathers();
  void experts_tensor_traffic();
  void whole_tokens();

  const ExpertShare& share_;
};

}  // namespace cubicbench::sim
