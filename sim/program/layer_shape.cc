#include "sim/program/layer_shape.h"

#include <algorithm>
#include <cmath>

#include "sim/base/units.h"
#include "sim/program/element_work.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {
namespace {

constexpr KernelRole attends = KernelRole::attention_projection;

/// Adds the parts of a layer one after the other.
class ShapeBuilder {
 public:
  ShapeBuilder(const Transformer& model, const Plan& plan, const Stack& stack, LayerKind kind,
               LayerShape& shape)
      : shape_(shape),
        kind_(kind),
        model_(model),
        plan_(plan),
        stack_(stack),
        t_(real(plan.tensor_parallel)),
        h_(real(model.hidden)),
        d_(real(model.head_size)),
        tokens_(micro_batch_tokens(model, plan)),
        heads_(real(model.attention_heads) / t_),
        u_(real(plan.ulysses_degree)),
        shared_(plan.sequence_parallel ? 1.0 / t_ : 1.0),
        local_tokens_(plan.sequence_parallel ? tokens_ / t_ : tokens_) {
    shape_.element_whole = 4.0 * parts(kind) * h_ / (plan.sequence_parallel ? t_ : 1.0);
  }

  void build() {
    switch (kind_.mixer) {
      case Mixer::attention:
      case Mixer::window:
        attention();
        break;
      case Mixer::latent_attention:
        latent_attention();
        break;
      case Mixer::scan:
        scan();
        break;
      case Mixer::none:
        break;
    }
    if (kind_.ffn == FeedForward::dense) ffn();
    if (kind_.ffn == FeedForward::experts) experts();
    if (kind_.ffn == FeedForward::none) no_ffn();
  }

 private:
  void attention() {
    const double kv_heads = std::max(1.0, real(model_.kv_heads) / t_);
    const double projected = d_ * (heads_ + 2.0 * kv_heads);
    add({.shape = {tokens_, projected, h_}, .role = attends});
    add({.shape = {tokens_, h_, heads_ * d_}, .role = attends});
    // Kernels that are not fused compute all scores and mask them.
    const bool fused = stack_.attention != AttentionKernel::unfused;
    shape_.attention = {tokens_, fused ? attended_keys(model_, kind_.mixer) : real(model_.sequence),
                        heads_, d_};
    // Of heads that are exchanged each rank keeps its own, of fewer key heads than ranks one.
    shape_.exchanged = 2.0 * std::max(1.0, kv_heads / u_) * d_;
    exchange_heads(heads_ * d_ + 2.0 * std::max(u_, kv_heads) * d_, heads_ * d_);
    attended_ = h_ / t_;
    widths_ = {.queries = heads_ * d_, .keys = kv_heads * d_, .attended = projected};
    read_split_ = heads_ * d_;
    written_ = projected;
    add_traffic(1.0);
  }

  void exchange_heads(double out, double back) {
    if (plan_.ulysses_degree == 1) return;
    shape_.heads_out = out;
    shape_.heads_back = back;
  }

  /// Vectors that ranks share are made of each rank's own tokens, and gathered narrow [Megatron-
  /// Core, multi_latent_attention].
  void latent_attention() {
    const LatentAttention& latent = model_.latent;
    const double q = real(latent.query_rank);
    const double c = real(latent.key_rank);
    const double r = real(latent.rope_size);
    const double u = real(latent.value_size);
    const double expanded = heads_ * (d_ - r + u);
    if (q > 0.0) {
      add({.shape = {local_tokens_, q, h_}, .role = attends});
      add({.shape = {tokens_, heads_ * d_, q}, .role = attends, .up_projection = true});
    } else {
      add({.shape = {tokens_, heads_ * d_, h_}, .role = attends});
    }
    add({.shape = {local_tokens_, c + r, h_}, .role = attends});
    add({.shape = {tokens_, expanded, c}, .role = attends, .up_projection = true});
    add({.shape = {tokens_, h_, heads_ * u}, .role = attends});
    // Two products a score, over keys and over values: as one of the mean size.
    shape_.attention = {tokens_, attended_keys(model_, Mixer::latent_attention), heads_,
                        0.5 * (d_ + u)};
    shape_.exchanged = heads_ / u_ * (d_ + u);
    exchange_heads(heads_ * (2.0 * d_ + u), heads_ * u);
    shape_.element_whole += 4.0 * (q + c) * shared_;
    attended_ = heads_ * d_;
    widths_ = {
        .queries = heads_ * r, .keys = r, .attended = heads_ * d_ + expanded, .latent = q + c};
    read_split_ = q + c + heads_ * u;
    written_ = (q + c + r) * shared_ + heads_ * d_ + expanded;
    add_traffic(q > 0.0 ? (q + c + r) / h_ : 1.0);
  }

  /// Between its two projections it multiplies and streams what kernels of mamba_ssm do, which
  /// compute the squares inside a chunk whole, and backward states and one square again
  /// [docs/models.md, Eq. K-14].
  void scan() {
    const StateSpace& space = model_.state_space;
    const double chunk = scan_chunk(model_);
    const double heads = real(space.heads) / t_;
    const double inner = heads * real(space.head_size);
    const double shared = real(space.groups * space.state_size) / t_;
    const double states = real(space.state_size) / chunk;
    add({.shape = {tokens_, 2.0 * inner + 2.0 * shared + heads, h_}, .role = attends});
    add({.shape = {tokens_, h_, inner}, .role = attends});
    const double across = inner * real(space.state_size);
    const double within = chunk * inner;
    const double pairs = chunk * shared;
    shape_.scan = {tokens_, chunk, 2.0 * pairs + 2.0 * within + 4.0 * across};
    shape_.scan_backward = {tokens_, chunk, 6.0 * pairs + 6.0 * within + 10.0 * across};
    const double squares = real(space.groups) / t_ * chunk;
    shape_.fixed_forward =
        inner * (8.0 + 6.0 * states) + 8.0 * shared + 4.0 * squares + 7.0 * heads;
    shape_.fixed_backward =
        inner * (22.0 + 15.5 * states) + 27.0 * shared + 12.0 * squares + 20.0 * heads;
    read_split_ = inner;
    written_ = 2.0 * inner + 2.0 * shared + heads;
    add_traffic(1.0);
  }

  void ffn() {
    const double width = real(model_.ffn_hidden) / t_;
    add({.shape = {tokens_, gates() * width, h_}});
    add({.shape = {tokens_, h_, width}});
    activates(width);
    shape_.inputs = parts(kind_) * h_ * shared_ + (read_split_ + width);
    shape_.output_gradients = written_ + gates() * width + parts(kind_) * h_ * shared_;
    add_traffic(1.0);
  }

  void no_ffn() {
    activates(0.0);
    shape_.inputs = h_ * shared_ + read_split_;
    shape_.output_gradients = written_ + h_ * shared_;
  }

  void experts() {
    const ExpertShare share = expert_share(model_, plan_);
    const double mixed = kind_.mixer == Mixer::none ? 0.0 : 1.0;
    const double shared_width = real(model_.experts.shared_ffn_hidden) / t_;
    const double count = 1.0 / stack_.grouped_gemm_factor;
    const double latent = real(model_.experts.latent_size);
    const double e = real(expert_hidden(model_));
    add({.shape = {share.tokens, real(model_.experts.count), h_},
         .role = KernelRole::router,
         .quantised = false});
    if (latent > 0.0) {
      add({.shape = {share.tokens, latent, h_}});
      add({.shape = {share.tokens, h_, latent}});
    }
    add({.shape = {share.rows, gates() * share.width, e, share.experts},
         .role = KernelRole::experts,
         .count = count});
    add({.shape = {share.rows, e, share.width, share.experts},
         .role = KernelRole::experts,
         .count = count});
    const double copies = share.computed / tokens_;
    activates(shared_width + copies * share.width);
    const double projected = latent > 0.0 ? (h_ + latent) / t_ : 0.0;
    shape_.inputs = mixed * h_ * shared_ + read_split_ + copies * (e + share.width) + projected;
    shape_.output_gradients =
        written_ + mixed * h_ * shared_ + copies * (gates() * share.width + e) + projected;
    if (shared_width > 0.0) {
      add({.shape = {tokens_, gates() * shared_width, h_}, .role = KernelRole::shared_experts});
      add({.shape = {tokens_, h_, shared_width}, .role = KernelRole::shared_experts});
      shape_.inputs += h_ * shared_ + shared_width;
      shape_.output_gradients += gates() * shared_width + h_ * shared_;
      add_traffic(1.0);
    }
    shape_.share = share;
  }

  void add(const LayerProduct& product) { shape_.add(product); }

  /// Element-wise work of the layer, whose FFNs are `width` wide: as counted by kernels, in
  /// elements of 16 bits, or as a minimum that the stack knows its distance from.
  void activates(double width) {
    if (!counts_kernels(stack_)) {
      shape_.element_split = 4.0 * (attended_ + activation_passes() * width);
      return;
    }
    widths_.parts = parts(kind_);
    widths_.activation = activation_passes() * width;
    const ElementBytes bytes = element_bytes(model_, plan_, stack_, widths_);
    shape_.element_whole = 0.5 * bytes.whole * shared_;
    shape_.element_split = 0.5 * bytes.split;
  }

  double gates() const { return model_.gated_ffn ? 2.0 : 1.0; }

  /// Of element-wise kernels over the FFN's width, over those of a fused activation.
  double activation_passes() const {
    return model_.fused_activation ? 1.0 : stack_.plain_activation_factor;
  }

  /// A column-parallel product whose input is `width` of h, and a row-parallel one behind it. With
  /// sequence parallelism the gathered input is not kept but gathered again.
  void add_traffic(double width) {
    shape_.forward.gathers += width;
    shape_.forward.scatters += 1.0;
    shape_.forward.reductions += 1.0;
    shape_.backward.gathers += 1.0 + width;
    shape_.backward.scatters += width;
    shape_.backward.reductions += width;
    shape_.regathered += width;
  }

  LayerShape& shape_;
  LayerKind kind_;
  const Transformer& model_;
  const Plan& plan_;
  const Stack& stack_;
  double t_;
  double h_;
  double d_;
  double tokens_;  ///< M: tokens of a micro-batch on one rank
  double heads_;
  double u_;  ///< ranks that exchange heads
  double shared_;
  double local_tokens_;
  double attended_ = 0.0;  ///< of the attention's elements, those that split
  ElementWidths widths_;
  double read_split_ = 0.0;  ///< elements a token that its products read, without its input
  double written_ = 0.0;     ///< and that they write, without its output
};

/// Two narrow products beside each that has adapters, and nothing else is trained. Behind a
/// column-parallel product ranks share the columns of A and of B, behind a row-parallel one the
/// rows of A and the columns of B; the narrow tensor between them is gathered or summed.
void add_adapters(const Transformer& model, const Plan& plan, LayerShape& shape) {
  const double r = real(model.adapters.rank);
  const double t = real(plan.tensor_parallel);
  const double width = r / real(model.hidden);
  const std::array<LayerProduct, 4> adaptable{shape.list[0], shape.list[1], shape.list[2],
                                              shape.list[3]};
  for (LayerProduct& one : shape.list) one.frozen = true;
  for (std::size_t i = 0; i < adaptable.size(); ++i) {
    if (!model.adapters.products[i]) continue;
    const GemmShape& whole = adaptable[i].shape;
    const bool by_columns = i % 2 == 0;
    const double outputs = by_columns ? whole.n : whole.n / t;
    shape.add({.shape = {whole.m, by_columns ? r / t : r, whole.k},
               .role = adaptable[i].role,
               .quantised = false});
    shape.add({.shape = {whole.m, outputs, r}, .role = adaptable[i].role, .quantised = false});
    shape.adapted.count += 1.0;
    shape.adapted.inputs += whole.k;
    shape.adapted.outputs += outputs;
    (by_columns ? shape.forward.gathers : shape.forward.scatters) += width;
    (by_columns ? shape.backward.scatters : shape.backward.gathers) += width;
    shape.forward.reductions += width;
    shape.backward.reductions += width;
  }
}

}  // namespace

LayerShape layer_shape(const Transformer& model, const Plan& plan, const Stack& stack,
                       LayerKind kind) {
  LayerShape shape;
  ShapeBuilder(model, plan, stack, kind, shape).build();
  if (has_adapters(model)) add_adapters(model, plan, shape);
  return shape;
}

double rank_trained_parameters(const Transformer& m, const Plan& plan, LayerKind kind) {
  return has_adapters(m) ? adapter_parameters(m) / real(plan.tensor_parallel)
                         : rank_layer_parameters(m, plan, kind);
}

double rank_layer_parameters(const Transformer& m, const Plan& plan, LayerKind kind) {
  const double t = real(plan.tensor_parallel);
  const double h = real(m.hidden);
  const bool experts = kind.ffn == FeedForward::experts;
  const double router = experts ? real(m.experts.count + 2 * m.experts.latent_size) : 0.0;
  double ffn = 0.0;
  if (kind.ffn != FeedForward::none) {
    ffn = ffn_matrices(m) * real(experts ? m.experts.shared_ffn_hidden : m.ffn_hidden) / t;
  }
  const double rest = ffn + parts(kind) + router;
  if (kind.mixer == Mixer::none) return h * rest;
  if (kind.mixer == Mixer::scan) return state_space_parameters(m, t) + h * rest;
  if (kind.mixer == Mixer::latent_attention) return latent_attention_parameters(m, t) + h * rest;
  const double heads =
      2.0 * real(m.attention_heads) / t + 2.0 * std::max(1.0, real(m.kv_heads) / t);
  const double weights = h * (heads * real(m.head_size) + ffn + parts(kind) + router);
  return has_adapters(m) ? weights + adapter_parameters(m) / t : weights;
}

double rank_expert_parameters(const Transformer& m, const Plan& plan) {
  return expert_parameters(m) * real(m.experts.count) /
         real(plan.expert_parallel * plan.expert_tensor_parallel);
}

double rank_vocabulary(const Transformer& model, const Plan& plan) {
  constexpr double columns = 128.0;
  const double share = real(model.vocabulary) / real(plan.tensor_parallel);
  return plan.tensor_parallel == 1 ? share : std::ceil(share / columns) * columns;
}

}  // namespace cubicbench::sim
