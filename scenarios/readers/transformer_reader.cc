#include "scenarios/readers/transformer_reader.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "scenarios/readers/hybrid_reader.h"

namespace cubicbench::scenarios {
namespace {

constexpr double factor_max = 1000.0;

std::string of(const support::ObjectReader& in, std::string_view key, std::int64_t value) {
  return in.pointer() + "/" + std::string(key) + " (" + std::to_string(value) + ")";
}

std::string got(std::int64_t value) { return ", got " + std::to_string(value); }

std::string divisor_of(const support::ObjectReader& in, std::string_view key, std::int64_t value,
                       std::int64_t read) {
  return "expected a divisor of " + of(in, key, value) + got(read);
}

/// A decimal of at most three places, as thousandths.
std::int64_t thousandths(support::ObjectReader& in, std::string_view key, std::int64_t otherwise) {
  constexpr double thousand = 1000.0;
  const std::size_t before = in.problems().size();
  const double value = in.number(key, 0.0, factor_max, static_cast<double>(otherwise) / thousand);
  const auto code = static_cast<std::int64_t>(value * thousand + 0.5);
  if (in.problems().size() == before && static_cast<double>(code) / thousand != value) {
    in.problem(
        key, "expected a number with at most three decimals, got " + support::shown(*in.raw(key)));
  }
  return code;
}

sim::Experts read_experts(support::ObjectReader& in) {
  sim::Experts experts{.count = in.integer("experts", 1, experts_max),
                       .per_token = in.integer("experts_per_token", 1, experts_max),
                       .ffn_hidden = in.integer("expert_ffn_hidden", 1, width_max),
                       .shared_ffn_hidden = in.integer("shared_expert_ffn_hidden", 0, width_max, 0),
                       .latent_size = in.integer("expert_latent_size", 0, width_max, 0),
                       .first_dense_layers = in.integer("first_dense_layers", 0, layers_max, 0),
                       .period = in.integer("expert_period", 1, layers_max, 1)};
  read_routing(in, experts);
  return experts;
}

/// Its head size says the width of queries and keys, and nothing derives it. `before` is the number
/// of problems before the model's own.
void read_latent_attention(support::ObjectReader& in, sim::Transformer& model, std::size_t before) {
  support::ObjectReader latent = in.object("latent_attention");
  model.latent = {.query_rank = latent.integer("query_rank", 0, width_max, 0),
                  .key_rank = latent.integer("key_rank", 1, width_max),
                  .rope_size = latent.integer("rope_size", 0, width_max, 0),
                  .value_size = latent.integer("value_size", 1, width_max)};
  if (in.problems().size() == before && model.latent.rope_size >= model.head_size) {
    latent.problem("rope_size", "expected less than " + of(in, "head_size", model.head_size) +
                                    got(model.latent.rope_size));
  }
  latent.finish();
  if (model.kv_heads != model.attention_heads && in.has("kv_heads")) {
    in.problem("kv_heads", "expected " + of(in, "attention_heads", model.attention_heads) +
                               ", as latent attention does not group heads" + got(model.kv_heads));
  }
}

void read_window(support::ObjectReader& in, sim::Transformer& model) {
  if (in.has("latent_attention")) {
    in.problem("sliding_window", "expected no latent_attention beside it");
  }
  support::ObjectReader window = in.object("sliding_window");
  model.window = {.tokens = window.integer("tokens", 1, sequence_max),
                  .full_period = window.integer("full_period", 0, layers_max, 0)};
  window.finish();
}

/// Without a list of modules all of them have adapters.
void read_adapters(support::ObjectReader& in, sim::Transformer& model) {
  for (const char* const other : {"latent_attention", "layer_pattern", "experts"}) {
    if (in.has(other)) {
      in.problem("adapters", "expected no " + std::string(other) + " beside it");
    }
  }
  support::ObjectReader adapters = in.object("adapters");
  model.adapters.rank = adapters.integer("rank", 1, width_max);
  if (adapters.has("target_modules")) {
    const std::vector<support::ValueReader> modules = adapters.array("target_modules");
    if (modules.empty()) adapters.problem("target_modules", "expected at least one module, got []");
    for (const support::ValueReader& module : modules) {
      model.adapters.products[module.one_of(adapter_modules)] = true;
    }
  } else {
    model.adapters.products.fill(true);
  }
  adapters.finish();
}

/// An FFN without experts is in some layer, so that its width is asked for.
bool has_plain_ffn(const sim::Transformer& model) {
  if (!model.pattern.empty()) return sim::has_feed_forward(model, sim::FeedForward::dense);
  return !sim::has_experts(model) || model.experts.first_dense_layers > 0 ||
         model.experts.period > 1;
}

/// Where no layer has it, left out.
std::int64_t read_ffn_hidden(support::ObjectReader& in, const sim::Transformer& model) {
  if (has_plain_ffn(model)) return in.integer("ffn_hidden", 1, width_max);
  const std::int64_t otherwise = sim::has_experts(model) ? model.experts.ffn_hidden : 1;
  return in.integer("ffn_hidden", 1, width_max, otherwise);
}

void read_heads(support::ObjectReader& in, sim::Transformer& model, bool latent) {
  const bool attends = model.pattern.empty() || sim::has_attention(model);
  model.attention_heads = in.integer("attention_heads", 1, heads_max,
                                     attends ? std::nullopt : std::optional<std::int64_t>{1});
  model.kv_heads = in.integer("kv_heads", 1, heads_max, model.attention_heads);
  model.head_size =
      latent ? in.integer("head_size", 1, width_max) : in.integer("head_size", 1, width_max, 0);
}

/// Experts in a model that is not said to have any: one message in place of one a key.
void refuse_experts(support::ObjectReader& in) {
  if (!in.has("experts")) return;
  in.problem("experts", "expected " + in.pointer() +
                            "/kind to be \"mixture_of_experts\", as the model has experts");
  for (const char* const key :
       {"experts", "experts_per_token", "expert_ffn_hidden", "shared_expert_ffn_hidden",
        "first_dense_layers", "expert_period", "expert_latent_size", "capacity_factor",
        "load_deviation", "nodes_per_token"}) {
    in.allow(key);
  }
}

}  // namespace

sim::Transformer read_transformer(support::ObjectReader& in, bool with_experts) {
  const std::size_t before = in.problems().size();
  const bool latent = in.has("latent_attention");
  sim::Transformer model;
  model.layers = in.integer("layers", 1, layers_max);
  model.hidden = in.integer("hidden", 1, width_max);
  if (in.has("layer_pattern")) read_pattern(in, model, latent);
  read_heads(in, model, latent);
  if (with_experts) {
    model.experts = read_experts(in);
  } else {
    refuse_experts(in);
  }
  model.ffn_hidden = read_ffn_hidden(in, model);
  model.gated_ffn = in.boolean("gated_ffn", false);
  model.vocabulary = in.integer("vocabulary", 1, width_max);
  model.tied_embeddings = in.boolean("tied_embeddings", false);
  model.sequence = in.integer("sequence", 1, sequence_max);
  model.packed_sample = in.integer("packed_sample", 1, sequence_max, 0);
  if (model.packed_sample > model.sequence) {
    in.problem("packed_sample",
               "expected at most " + of(in, "sequence", model.sequence) + got(model.packed_sample));
  }
  model.prediction_layers = in.integer("prediction_layers", 0, layers_max, 0);
  if (model.prediction_kind && model.prediction_layers == 0) {
    in.problem("prediction_pattern", "expected prediction_layers above 0 beside it");
  }
  if (latent) read_latent_attention(in, model, before);
  if (in.has("sliding_window")) read_window(in, model);
  if (in.has("adapters")) read_adapters(in, model);
  if (in.has("state_space")) read_state_space(in, model);
  if (in.problems().size() == before) check_pattern(model, in, with_experts, "layer_pattern");
  if (in.problems().size() == before) {
    complete_heads(model, in, {"hidden", "attention_heads", "kv_heads"});
    check_experts(
        model, in,
        {"experts", "experts_per_token", "layers", "first_dense_layers", "expert_period"});
    check_routing(in, model.experts);
  }
  in.finish();
  return model;
}

void complete_heads(sim::Transformer& model, support::ObjectReader& in,
                    const TransformerKeys& keys) {
  if (model.attention_heads % model.kv_heads != 0) {
    in.problem(keys.kv_heads,
               divisor_of(in, keys.attention_heads, model.attention_heads, model.kv_heads));
  }
  if (model.head_size != 0) return;
  if (model.hidden % model.attention_heads != 0) {
    in.problem(keys.attention_heads,
               divisor_of(in, keys.hidden, model.hidden, model.attention_heads) +
                   "; or give the size of a head");
  }
  model.head_size = model.hidden / model.attention_heads;
  if (model.head_size == 0) model.head_size = 1;
}

void check_experts(const sim::Transformer& model, support::ObjectReader& in,
                   const ExpertKeys& keys) {
  if (!sim::has_experts(model)) return;
  const sim::Experts& experts = model.experts;
  if (experts.per_token > experts.count) {
    in.problem(keys.per_token,
               "expected at most " + of(in, keys.experts, experts.count) + got(experts.per_token));
  }
  if (experts.first_dense_layers >= model.layers) {
    in.problem(keys.first_dense_layers, "expected less than " + of(in, keys.layers, model.layers) +
                                            got(experts.first_dense_layers));
  } else if (experts.period > model.layers - experts.first_dense_layers) {
    in.problem(keys.period,
               "expected at most the " + std::to_string(model.layers - experts.first_dense_layers) +
                   " layers after the dense ones, so that one has experts" + got(experts.period));
  }
}

void read_routing(support::ObjectReader& in, sim::Experts& experts) {
  experts.capacity_thousandths = thousandths(in, "capacity_factor", experts.capacity_thousandths);
  experts.load_deviation_thousandths =
      thousandths(in, "load_deviation", experts.load_deviation_thousandths);
  experts.nodes_per_token = in.integer("nodes_per_token", 0, experts_max, experts.nodes_per_token);
}

void check_routing(support::ObjectReader& in, const sim::Experts& experts) {
  if (experts.nodes_per_token <= experts.per_token) return;
  in.problem("nodes_per_token", "expected at most the experts of a token (" +
                                    std::to_string(experts.per_token) + ")" +
                                    got(experts.nodes_per_token));
}

}  // namespace cubicbench::scenarios
