#include "datasets/mapping/model_mixture.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;

constexpr std::int64_t count_max = 1'000'000'000;

sim::Experts read_experts(ObjectReader in) {
  const sim::Experts experts{
      .count = in.integer("count", 1, count_max),
      .per_token = in.integer("per_token", 1, count_max),
      .ffn_hidden = in.integer("ffn", 1, count_max),
      .shared_ffn_hidden = in.integer("shared_ffn", 0, count_max, 0),
      .first_dense_layers = in.integer("first_dense_layers", 0, count_max, 0),
      .period = in.integer("period", 1, count_max, 1),
      .nodes_per_token = in.integer("nodes_per_token", 0, count_max, 0),
  };
  in.finish();
  return experts;
}

sim::LatentAttention read_latent(ObjectReader in) {
  const sim::LatentAttention latent{
      .query_rank = in.integer("query_rank", 0, count_max, 0),
      .key_rank = in.integer("key_rank", 1, count_max),
      .rope_size = in.integer("rope_size", 1, count_max),
      .value_size = in.integer("value_size", 1, count_max),
  };
  in.finish();
  return latent;
}

}  // namespace

ModelMixture read_mixture(ObjectReader& in) {
  ModelMixture mixture;
  if (auto experts = in.optional_object("experts")) mixture.experts = read_experts(*experts);
  if (auto latent = in.optional_object("latent_attention")) mixture.latent = read_latent(*latent);
  if (in.has("prediction_layers")) {
    mixture.prediction_layers = in.integer("prediction_layers", 0, count_max);
  } else {
    in.allow("prediction_layers");
  }
  return mixture;
}

ModelMixture with_rest_of(const ModelMixture& mixture, const ModelMixture& otherwise) {
  ModelMixture whole = mixture;
  if (!whole.experts) whole.experts = otherwise.experts;
  if (!whole.latent) whole.latent = otherwise.latent;
  if (!whole.prediction_layers) whole.prediction_layers = otherwise.prediction_layers;
  return whole;
}

}  // namespace cubicbench::datasets
