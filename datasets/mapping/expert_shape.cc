#include "datasets/mapping/expert_shape.h"

#include <algorithm>
#include <cmath>

#include "datasets/mapping/text_match.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

/// "3" of "([0]*3+[1]*11)".
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  if (!text.starts_with(before)) return {};
  text.remove_prefix(before.size());
  const std::size_t end = text.find(after);
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

using Count = std::optional<std::int64_t>;

constexpr double thousand = 1000.0;

/// Sizes of the latent vectors of DeepSeek-V2 and -V3 [DeepSeekV2, section 3.1.2].
constexpr sim::LatentAttention deepseek_latent{
    .query_rank = 1536, .key_rank = 512, .rope_size = 64, .value_size = 128};
constexpr std::int64_t deepseek_head_size = 192;

/// Does the text begin with a number of billions, "3B" or "1.4B", and then end or go on with no
/// letter or digit?
bool begins_with_billions(std::string_view text) {
  const std::size_t unit = text.find_first_not_of("0123456789.");
  if (unit == 0 || unit == std::string_view::npos) return false;
  return support::lowered(text[unit]) == 'b' &&
         (unit + 1 == text.size() || !is_alphanumeric(text[unit + 1]));
}

bool names_experts(std::string_view model) {
  if (contains_any_case(model, "moe")) return true;
  for (std::size_t at = 1; at + 1 < model.size(); ++at) {
    if (!begins_with_billions(model.substr(at + 1))) continue;
    const char before = model[at - 1];
    const bool is_times = support::lowered(model[at]) == 'x' && before >= '0' && before <= '9';
    const bool is_active = support::lowered(model[at]) == 'a' && !is_alphanumeric(before);
    if (is_times || is_active) return true;
  }
  return false;
}

bool has_experts(const ModelFamily& family) {
  return family.mixture.experts || std::ranges::any_of(family.sizes, [](const ModelSize& size) {
           return size.mixture.experts.has_value();
         });
}

class Mixture {
 public:
  Mixture(const Measurement& row, const ModelFamily* family, const ModelSize* size,
          const ChosenStack& stack, AssumedNames& assumed, sim::Transformer& model)
      : row_(row), stack_(stack), assumed_(assumed), model_(model) {
    if (size != nullptr) published_ = size->mixture;
    if (family != nullptr) published_ = with_rest_of(published_, family->mixture);
    if (size != nullptr) published_ffn_ = size->ffn;
  }

  std::string fill() {
    if (published_.experts) model_.experts = *published_.experts;
    sim::Experts& experts = model_.experts;
    const Count count = row_.n_experts ? row_.n_experts : published(&sim::Experts::count);
    Count chosen = row_.top_k ? row_.top_k : published(&sim::Experts::per_token);
    if (!chosen) chosen = assumed_column("top_k");
    std::string reason =
        assumed_.store("n_experts", row_.n_experts.has_value(), count, experts.count);
    if (reason.empty()) {
      reason = assumed_.store("top_k", row_.top_k.has_value(), chosen, experts.per_token);
    }
    if (!reason.empty()) return reason;
    if (experts.per_token > experts.count) return "top_k is above n_experts";
    fill_layers();
    fill_widths();
    fill_capacity();
    fill_latent();
    fill_prediction();
    fill_flags();
    return "";
  }

 private:
  Count published(std::int64_t sim::Experts::*member) const {
    if (!published_.experts) return std::nullopt;
    return (*published_.experts).*member;
  }

  Count assumed_column(std::string_view name) const {
    const Default* const found = stack_.column(name);
    return found == nullptr ? std::nullopt : count_of(found->value);
  }

  void fill_layers() {
    sim::Experts& experts = model_.experts;
    if (const auto layers = expert_layers_in(row_.notes)) {
      experts.first_dense_layers = layers->first_dense;
      experts.period = layers->period;
    }
    if (const Count dense = told("first_dense_layers")) experts.first_dense_layers = *dense;
    // A cut model has what is left of them.
    experts.first_dense_layers = std::min(experts.first_dense_layers, model_.layers);
  }

  void fill_widths() {
    sim::Experts& experts = model_.experts;
    const std::int64_t stated = model_.ffn_hidden;
    const Count shared = count_flag_in(row_.notes, "moe-shared-expert-intermediate-size");
    const Count own = count_flag_in(row_.notes, "moe-ffn-hidden-size");
    const bool is_dense_width = row_.d_ff && published_ffn_ && *row_.d_ff == *published_ffn_;
    if (shared) experts.shared_ffn_hidden = *shared;
    if (own) {
      experts.ffn_hidden = *own;
    } else if (!published_.experts && shared && experts.first_dense_layers > 0) {
      experts.ffn_hidden = *shared;
    } else if (row_.d_ff && !is_dense_width) {
      experts.ffn_hidden = stated;
      if (published_ffn_) model_.ffn_hidden = *published_ffn_;
    } else if (!published_.experts) {
      experts.ffn_hidden = stated;
    }
  }

  /// What the stack says of runs whose columns cannot, in so many parts of one.
  Count told(std::string_view name, double parts = 1.0) const {
    const Default* const found = stack_.shape(name);
    if (found == nullptr) return std::nullopt;
    const double value = support::parsed<double>(found->value).value_or(0.0);
    return static_cast<std::int64_t>(std::llround(value * parts));
  }

  void fill_capacity() {
    assumed_.add("expert_capacity");
    assumed_.add("load_deviation");
    if (const Count capacity = told("expert_capacity", thousand)) {
      model_.experts.capacity_thousandths = *capacity;
    }
    if (const Count deviation = told("load_deviation", thousand)) {
      model_.experts.load_deviation_thousandths = *deviation;
    }
  }

  void fill_latent() {
    if (published_.latent) model_.latent = *published_.latent;
    if (published_.latent || flag_in(row_.notes, "multi-latent-attention") != "True") return;
    assumed_.add("latent_attention");
    model_.latent = deepseek_latent;
    model_.head_size = deepseek_head_size;
    model_.kv_heads = model_.attention_heads;
  }

  void fill_prediction() {
    const Count option = count_flag_in(row_.notes, "mtp-num-layers");
    const Count other = told("prediction_layers");
    model_.prediction_layers =
        option ? *option : other.value_or(published_.prediction_layers.value_or(0));
  }

  /// Options that Megatron's tests of one family differ in.
  void fill_flags() {
    if (flag_in(row_.notes, "swiglu") == "True") model_.gated_ffn = true;
    if (flag_in(row_.notes, "untie-embeddings-and-output-weights") == "True") {
      model_.tied_embeddings = false;
    }
  }

  const Measurement& row_;
  const ChosenStack& stack_;
  AssumedNames& assumed_;
  sim::Transformer& model_;
  ModelMixture published_;
  Count published_ffn_;  ///< of layers without experts
};

}  // namespace

std::string_view flag_in(std::string_view notes, std::string_view name) {
  for (std::size_t at = notes.find(name); at != std::string_view::npos;
       at = notes.find(name, at + 1)) {
    const bool begins = at == 0 || (!is_alphanumeric(notes[at - 1]) && notes[at - 1] != '-');
    std::string_view rest = notes.substr(at + name.size());
    if (!begins || !rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    return rest.substr(0, rest.find_first_of(" ;,"));
  }
  return {};
}

std::optional<std::int64_t> count_flag_in(std::string_view notes, std::string_view name) {
  return count_of(flag_in(notes, name));
}

std::optional<ExpertLayers> expert_layers_in(std::string_view notes) {
  const std::string_view text = flag_in(notes, "moe-layer-freq");
  if (const auto period = count_of(text)) {
    if (*period < 1) return std::nullopt;
    return ExpertLayers{.first_dense = 0, .period = *period};
  }
  const auto dense = count_of(between(text, "([0]*", "+[1]*"));
  if (!dense || *dense < 0) return std::nullopt;
  return ExpertLayers{.first_dense = *dense, .period = 1};
}

bool is_mixture(const Measurement& row, const ModelFamily* family) {
  if (row.n_experts) return *row.n_experts > 1;
  if (row.top_k.value_or(1) > 1 || row.ep.value_or(1) > 1) return true;
  return names_experts(row.model) ||
         (family != nullptr && (family->has_experts || has_experts(*family)));
}

std::string fill_mixture(const Measurement& row, const ModelFamily* family, const ModelSize* size,
                         const ChosenStack& stack, AssumedNames& assumed, sim::Transformer& model) {
  return Mixture(row, family, size, stack, assumed, model).fill();
}

}  // namespace cubicbench::datasets
