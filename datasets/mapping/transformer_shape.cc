#include "datasets/mapping/transformer_shape.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "datasets/mapping/expert_shape.h"
#include "datasets/mapping/refusal.h"
#include "datasets/mapping/text_match.h"

namespace cubicbench::datasets {
namespace {

using Count = std::optional<std::int64_t>;

constexpr std::int64_t shape_max = 1'000'000'000;
constexpr std::int64_t usual_head_size = 128;
constexpr double billion = 1e9;

/// The multiple of `of` next to `value`, at least one of them.
std::int64_t nearest_multiple(double value, std::int64_t of) {
  const double parts = std::round(value / static_cast<double>(of));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(parts)) * of;
}

/// Weights of a layer, norms left out.
double layer_weights(double hidden, double ffn, bool gated) {
  return 4.0 * hidden * hidden + (gated ? 3.0 : 2.0) * hidden * ffn;
}

class Shape {
 public:
  Shape(const Measurement& row, const ModelFamily* family, const ChosenStack& stack,
        AssumedNames& assumed)
      : row_(row),
        family_(family),
        mixture_(is_mixture(row, family)),
        stack_(stack),
        assumed_(assumed) {}

  TransformerShape read() {
    if (!fill() || !check()) return {.model = std::nullopt, .reason = std::move(fail_.reason)};
    model_.head_size = head_size().value_or(model_.hidden / model_.attention_heads);
    fill_architecture();
    fill_samples();
    if (!fill_layers()) return {.model = std::nullopt, .reason = std::move(fail_.reason)};
    if (mixture_) {
      std::string reason = fill_mixture(row_, family_, size_, stack_, assumed_, model_);
      if (!reason.empty()) return {.model = std::nullopt, .reason = std::move(reason)};
    }
    return {.model = model_, .reason = {}};
  }

 private:
  /// What the size that the model's name has says; of another width it says nothing.
  Count published(Count ModelSize::*member) const {
    return size_ != nullptr ? size_->*member : std::nullopt;
  }

  bool fill() {
    find_published();
    model_.hidden = hidden_.value_or(0);
    return take("n_layers", row_.n_layers, layers(), model_.layers) &&
           take("d_model", row_.d_model, hidden_, model_.hidden) &&
           take("n_heads", row_.n_heads, heads(), model_.attention_heads) &&
           take("n_kv_heads", row_.n_kv_heads, kv_heads(), model_.kv_heads) &&
           take("d_ff", row_.d_ff, ffn(), model_.ffn_hidden) &&
           take("vocab", row_.vocab, vocabulary(), model_.vocabulary) &&
           take("seq_len", row_.seq_len, or_default(row_.seq_len, "seq_len"), model_.sequence);
  }

  void find_published() {
    if (family_ != nullptr) size_ = find_size(*family_, row_.model);
    if (size_ != nullptr && row_.d_model && size_->hidden && *row_.d_model != *size_->hidden) {
      size_ = nullptr;
    }
    hidden_ = row_.d_model ? row_.d_model : published(&ModelSize::hidden);
    width_ = find_width();
    if (!hidden_ && row_.n_params_b && width_ != nullptr) hidden_ = width_->hidden;
    hidden_ = or_default(hidden_, "d_model");
  }

  const ModelWidth* find_width() const {
    if (family_ == nullptr) return nullptr;
    return first_of(family_->widths, [&](const ModelWidth& one) { return holds(one.when, row_); });
  }

  Count layers() const {
    if (row_.n_layers) return row_.n_layers;
    const Count listed = published(&ModelSize::layers);
    if (listed) return listed;
    const Count width = ffn();
    const Count words = vocabulary();
    if (!row_.n_params_b || !hidden_ || !width || !words || family_ == nullptr || mixture_) {
      return or_default(std::nullopt, "n_layers");
    }
    const auto h = static_cast<double>(*hidden_);
    const double tables = (family_->tied_embeddings ? 1.0 : 2.0) * static_cast<double>(*words) * h;
    const double one = layer_weights(h, static_cast<double>(*width), family_->gated_ffn);
    const double layers = (*row_.n_params_b * billion - tables) / one;
    if (!(layers < static_cast<double>(shape_max))) return std::nullopt;
    return nearest_multiple(layers, std::clamp<std::int64_t>(row_.pp.value_or(1), 1, shape_max));
  }

  Count heads() const {
    if (row_.n_heads) return row_.n_heads;
    const Count listed = published(&ModelSize::heads);
    if (listed || !hidden_) return listed;
    const Count ruled = width_ == nullptr ? std::nullopt : width_->heads;
    return ruled && *hidden_ % *ruled == 0 ? ruled : usual_heads(*hidden_);
  }

  Count kv_heads() const {
    if (row_.n_kv_heads) return row_.n_kv_heads;
    const Count listed = published(&ModelSize::kv_heads);
    if (listed && heads() == published(&ModelSize::heads)) return listed;
    const Default* const other = stack_.column("n_kv_heads");
    if (other == nullptr) return std::nullopt;
    return other->value == "n_heads" ? heads() : count_of(other->value);
  }

  /// Nothing where heads share the width among them.
  Count head_size() const {
    const Count listed = published(&ModelSize::head_size);
    return listed || family_ == nullptr ? listed : family_->head_size;
  }

  Count ffn() const {
    if (row_.d_ff) return row_.d_ff;
    const Count listed = published(&ModelSize::ffn);
    if (listed) return listed;
    if (family_ != nullptr && hidden_ && *hidden_ <= shape_max) {
      const Count width = ffn_width(family_->ffn, *hidden_);
      if (width) return width;
    }
    return or_default(std::nullopt, "d_ff");
  }

  Count vocabulary() const {
    if (row_.vocab) return row_.vocab;
    const Count listed = published(&ModelSize::vocabulary);
    if (listed) return listed;
    if (family_ != nullptr && family_->vocabulary) return family_->vocabulary;
    return or_default(std::nullopt, "vocab");
  }

  Count or_default(Count stated, std::string_view column) const {
    if (stated) return stated;
    const Default* const other = stack_.column(column);
    return other == nullptr ? std::nullopt : count_of(other->value);
  }

  bool take(std::string_view column, const Count& stated, Count value, std::int64_t& member) {
    fail_.reason = assumed_.store(column, stated.has_value(), value, member);
    return fail_.reason.empty();
  }

  bool check() {
    if (!head_size() && model_.hidden % model_.attention_heads != 0) {
      return fail_("n_heads does not divide d_model");
    }
    if (model_.attention_heads % model_.kv_heads != 0) {
      return fail_("n_kv_heads does not divide n_heads");
    }
    return true;
  }

  /// What is a property of the model and has no column.
  void fill_architecture() {
    assumed_.add("gated_ffn");
    assumed_.add("tied_embeddings");
    if (family_ != nullptr) {
      model_.gated_ffn = family_->gated_ffn;
      model_.tied_embeddings = family_->tied_embeddings;
      model_.fused_activation = family_->fused_activation;
    } else if (row_.n_params_b && !mixture_) {
      meet_parameters(*row_.n_params_b * billion);
    } else {
      model_.gated_ffn = model_.ffn_hidden != 4 * model_.hidden;
    }
  }

  void fill_samples() {
    const Default* const packed = stack_.shape("packed_sample");
    if (packed == nullptr) return;
    assumed_.add("packed_sample");
    model_.packed_sample = std::min(count_of(packed->value).value_or(0), model_.sequence);
  }

  /// Windows, and the layers of models that list them one by one.
  bool fill_layers() {
    if (family_ == nullptr) return true;
    const ModelMixture all =
        size_ != nullptr ? with_rest_of(size_->mixture, family_->mixture) : family_->mixture;
    if (all.window) model_.window = *all.window;
    if (!all.layers) return true;
    model_.pattern = all.layers->pattern;
    model_.state_space = all.layers->state_space;
    model_.prediction_kind = all.layers->prediction_kind;
    const auto listed = static_cast<std::int64_t>(model_.pattern.size());
    return model_.layers % listed == 0 || fail_("n_layers is no multiple of the listed layers");
  }

  void meet_parameters(double parameters) {
    sim::Transformer best = model_;
    for (const bool gated : {false, true}) {
      for (const bool tied : {false, true}) {
        model_.gated_ffn = gated;
        model_.tied_embeddings = tied;
        if (std::abs(total_parameters(model_) - parameters) <
            std::abs(total_parameters(best) - parameters)) {
          best = model_;
        }
      }
    }
    model_ = best;
  }

  const Measurement& row_;
  const ModelFamily* family_;
  bool mixture_;  ///< the parameter count is not that of a dense model
  const ChosenStack& stack_;
  AssumedNames& assumed_;
  const ModelSize* size_ = nullptr;
  const ModelWidth* width_ = nullptr;
  Count hidden_;
  sim::Transformer model_;
  Refusal fail_;
};

}  // namespace

TransformerShape transformer_shape(const Measurement& row, const ModelFamily* family,
                                   const ChosenStack& stack, AssumedNames& assumed) {
  return Shape(row, family, stack, assumed).read();
}

std::optional<std::int64_t> usual_heads(std::int64_t hidden) {
  if (hidden < 8 || hidden > 1'000'000) return std::nullopt;
  const std::int64_t step = hidden % 8 == 0 ? 8 : 1;
  const auto distance = [&](std::int64_t heads) {
    return std::abs(hidden / heads - usual_head_size);
  };
  std::int64_t best = step;
  // Heads narrower than 8 are never next to 128.
  for (std::int64_t heads = step; heads <= hidden / 8; heads += step) {
    if (hidden % heads == 0 && distance(heads) <= distance(best)) best = heads;
    if (hidden / heads < usual_head_size && distance(heads) > distance(best)) break;
  }
  return best;
}

}  // namespace cubicbench::datasets
