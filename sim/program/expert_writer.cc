#include "sim/program/operation_writer.h"

namespace cubicbench::sim {
namespace {

class ExpertWriter : OperationWriter {
 public:
  ExpertWriter(const Transformer& model, const Plan& plan, const Stack& stack, StepProgram& program,
               const ExpertShare& share)
      : OperationWriter(model, plan, stack, program),
        share_(share),
        e_(static_cast<double>(expert_hidden(model))) {}

  void write(bool backward, StepPart products, StepPart routing_part) {
    if (stack_.einsum_dispatch) one_hot_products(backward, products);
    routing(routing_part);
    exchanges();
  }

 private:
  /// The least that scores and copies of tokens are read and written [docs/models.md, Eq. X-5]:
  /// four passes over scores in fp32 (softmax, the largest k, and what becomes of them); k copies
  /// of each token, read and written; the same sorted by expert where a rank has several and others
  /// send to it, and back in their order; k of them added up to one.
  void routing(StepPart part) {
    const double k = real(model_.experts.per_token);
    const double sent = share_.tokens * k;
    const bool sorts = plan_.expert_parallel > 1 && share_.experts > 1.0;
    const double scores = 4.0 * 4.0 * share_.tokens * real(model_.experts.count);
    const double copies = 2.0 * sent + sent + share_.tokens + (sorts ? 4.0 * share_.computed : 0.0);
    memory_bound(
        Bytes{stack_.routing_factor * (scores + storage_bytes(plan_.param_dtype) * e_ * copies)},
        part);
  }

  /// Dispatch: (E C x S) by (S x h), combine: (S x E C) by (E C x h), C slots an expert and S
  /// tokens of the rank: 2 S E C h operations each [GShard20, section 3.1]; backward the gradients
  /// of tokens, and of the weights that combine them.
  void one_hot_products(bool backward, StepPart part) {
    const double s = share_.tokens;
    const double slots = share_.copies;
    gemm({slots, e_, s}, 1.0, whole_dtype(), part);
    gemm({s, e_, slots}, 1.0, whole_dtype(), part);
    if (backward) gemm({s, slots, e_}, 1.0, whole_dtype(), part);
    // Both masks are written and read.
    memory_bound(Bytes{4.0 * storage_bytes(plan_.param_dtype) * s * slots},
                 backward                 ? StepPart::memory_bound
                 : part == StepPart::gemm ? StepPart::memory_bound
                                          : part);
  }

  /// Tokens to their experts and results back, or gradients of results and of tokens.
  void exchanges() {
    if (plan_.expert_dispatch == ExpertDispatch::all_gather) {
      gathers();
    } else {
      const double kept = storage_bytes(plan_.param_dtype);
      // What products will read quantised is sent so; sums of what they return are not
      // [DeepSeekV3, section 3.3.3].
      const bool quantised =
          plan_.expert_dispatch == ExpertDispatch::deepep && is_quantised(plan_.dtype);
      exchange(quantised ? wire_bytes(plan_.dtype) : kept);
      exchange(kept);
      experts_tensor_traffic();
    }
    whole_tokens();
  }

  /// One way [docs/models.md, Eq. X-4].
  void exchange(double bytes_an_element) {
    if (plan_.expert_parallel == 1) return;
    const auto add = [&](Stream stream, double copies) {
      collective(OperationKind::all_to_all, stream, StepPart::expert_communication,
                 stack_.dispatch_factor,
                 Bytes{bytes_an_element * share_.tokens * share_.load * copies * e_});
    };
    if (plan_.expert_dispatch == ExpertDispatch::all_to_all) {
      add(Stream::expert, real(model_.experts.per_token));
      return;
    }
    const Group& expert = program_.mesh.expert;
    const DispatchCopies copies = dispatch_copies(model_.experts, plan_.expert_dispatch, expert);
    if (nodes_of(expert) > 1) add(Stream::expert_across, copies.across);
    if (expert.ranks_per_node > 1) add(Stream::expert_node, copies.on_node);
  }

  /// All tokens to all ranks, and their sums scattered.
  void gathers() {
    const double ep = real(plan_.expert_parallel);
    const double etp = real(plan_.expert_tensor_parallel);
    const double token = storage_bytes(plan_.param_dtype) * share_.tokens * e_;
    const auto add = [&](Stream stream, double times) {
      collective(OperationKind::gather, stream, StepPart::expert_communication, 2.0,
                 Bytes{token * times});
    };
    if (ep > 1.0) add(Stream::expert, ep);
    if (etp > 1.0) add(Stream::expert_tensor, ep * etp);
  }

  /// Ranks that share an expert gather what each of them was sent, and scatter its sums.
  void experts_tensor_traffic() {
    if (plan_.expert_tensor_parallel == 1) return;
    collective(OperationKind::gather, Stream::expert_tensor, StepPart::expert_communication, 2.0,
               Bytes{storage_bytes(plan_.param_dtype) * share_.computed * e_});
  }

  /// Tensor ranks without sequence parallelism have shared their tokens among them.
  void whole_tokens() {
    if (plan_.tensor_parallel == 1 || plan_.sequence_parallel) return;
    collective(OperationKind::gather, Stream::tensor, StepPart::tensor_communication, 1.0,
               Bytes{storage_bytes(plan_.param_dtype) * tokens_ * h_});
  }

  const ExpertShare& share_;
  double e_;  ///< width of tokens on their way
};

}  // namespace

void write_experts(const Transformer& model, const Plan& plan, const Stack& stack,
                   StepProgram& program, const ExpertShare& share, bool backward, StepPart products,
                   StepPart routing) {
  ExpertWriter(model, plan, stack, program, share).write(backward, products, routing);
}

}  // namespace cubicbench::sim
