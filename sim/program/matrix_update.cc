#include "sim/program/matrix_update.h"

#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

/// Matrices of one rank, one after the other.
class MatrixList {
 public:
  MatrixList(const Transformer& model, const Plan& plan)
      : model_(model), h_(real(model.hidden)), t_(real(plan.tensor_parallel)) {}

  void attention() {
    const double d = real(model_.head_size);
    const double keys = real(model_.kv_heads);
    add(h_, real(model_.attention_heads) * d, 2.0, t_);  // queries and output
    add(h_, keys * d, 2.0, std::min(t_, keys));          // keys, values
  }

  /// Narrow vectors are made by each rank on its own [docs/models.md, Eq. X-10].
  void latent_attention() {
    const LatentAttention& latent = model_.latent;
    const double q = real(latent.query_rank);
    const double c = real(latent.key_rank);
    const double r = real(latent.rope_size);
    const double a = real(model_.attention_heads);
    const double queries = a * real(model_.head_size);
    if (q > 0.0) add(h_, q, 1.0, 1.0);
    add(q > 0.0 ? q : h_, queries, 1.0, t_);
    add(h_, c + r, 1.0, 1.0);
    add(c, queries - a * r + a * real(latent.value_size), 1.0, t_);
    add(a * real(latent.value_size), h_, 1.0, t_);
  }

  /// Both projections of a scan; what is between them is no matrix of two hidden widths.
  void scan() {
    const StateSpace& space = model_.state_space;
    const double inner = real(space.heads * space.head_size);
    add(h_, 2.0 * inner + real(2 * space.groups * space.state_size + space.heads), 1.0, t_);
    add(inner, h_, 1.0, t_);
  }

  void mixer(Mixer mixer) {
    if (mixer == Mixer::latent_attention) return latent_attention();
    if (mixer == Mixer::scan) return scan();
    if (traits(mixer).attends) attention();
  }

  void ffn(double width) { add(h_, width, ffn_matrices(model_), t_); }

  /// The only ones that are trained.
  void adapters() {
    const std::array<ProductWidths, 4> products = adaptable_products(model_);
    for (std::size_t i = 0; i < products.size(); ++i) {
      if (!model_.adapters.products[i]) continue;
      add(real(model_.adapters.rank), products[i].inputs, 1.0, t_);
      add(real(model_.adapters.rank), products[i].outputs, 1.0, t_);
    }
  }

  /// Which chooses experts, and projections to and from their width where that is a latent one.
  void router() {
    add(h_, real(model_.experts.count), 1.0, 1.0);
    add(h_, real(model_.experts.latent_size), 2.0, 1.0);
  }

  void experts(const Plan& plan) {
    add(real(expert_hidden(model_)), real(model_.experts.ffn_hidden),
        ffn_matrices(model_) * real(model_.experts.count) / real(plan.expert_parallel),
        real(plan.expert_tensor_parallel));
  }

  const HiddenMatrices& list() const { return list_; }

 private:
  void add(double height, double width, double count, double ranks) {
    if (width <= 0.0) return;
    list_.list[list_.count++] = {std::min(height, width), std::max(height, width), count, ranks};
  }

  const Transformer& model_;
  double h_;
  double t_;
  HiddenMatrices list_;
};

}  // namespace

HiddenMatrices hidden_matrices(const Transformer& model, const Plan& plan, LayerKind kind) {
  MatrixList matrices(model, plan);
  if (has_adapters(model)) {
    matrices.adapters();
    return matrices.list();
  }
  matrices.mixer(kind.mixer);
  if (kind.ffn == FeedForward::dense) matrices.ffn(real(model.ffn_hidden));
  if (kind.ffn == FeedForward::experts) {
    matrices.router();
    matrices.ffn(real(model.experts.shared_ffn_hidden));
  }
  return matrices.list();
}

HiddenMatrices expert_matrices(const Transformer& model, const Plan& plan) {
  MatrixList matrices(model, plan);
  matrices.experts(plan);
  return matrices.list();
}

void write_matrix_update(const Transformer& model, const Plan& plan, MatrixUpdate& update) {
  update.steps = traits(plan.optimizer).orthogonalising_steps;
  if (update.steps == 0) return;
  // The momentum is written in 16 bits and its update read, in place of the moments that are not.
  update.bytes_per_parameter =
      4.0 - 2.0 * matrix_state_saved(plan.optimizer) * state_bytes(plan.optimizer);
  update.slices_each = traits(plan.sharding).shards_parameters;
  const LayerKinds kinds = layer_kinds(model);
  for (std::size_t i = 0; i < kinds.count; ++i) {
    update.layers[i] = hidden_matrices(model, plan, kinds.list[i]);
  }
  if (has_experts(model)) update.experts = expert_matrices(model, plan);
}

double rank_parameters(const HiddenMatrices& matrices) {
  double sum = 0.0;
  for (const WeightMatrix& one : matrices.all()) sum += one.count * one.parameters() / one.ranks;
  return sum;
}

double orthogonalising_bytes(const HiddenMatrices& matrices) {
  double largest = 0.0;
  for (const WeightMatrix& one : matrices.all()) {
    largest = std::max(largest, 2.0 * (2.0 * one.parameters() + 2.0 * one.rows * one.rows));
  }
  return largest;
}

}  // namespace cubicbench::sim
