#include "datasets/logs/model_literal.h"

#include <array>
#include <cmath>

#include "datasets/logs/log_fields.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

constexpr std::array<SettingColumn, 17> shape_columns{{
    {"dim", "d_model"},
    {"hidden_size", "d_model"},
    {"n_layers", "n_layers"},
    {"num_layers", "n_layers"},
    {"num_hidden_layers", "n_layers"},
    {"n_heads", "n_heads"},
    {"num_attention_heads", "n_heads"},
    {"n_kv_heads", "n_kv_heads"},
    {"num_key_value_heads", "n_kv_heads"},
    {"hidden_dim", "d_ff"},
    {"inter_dim", "d_ff"},
    {"intermediate_size", "d_ff"},
    {"vocab_size", "vocab"},
    {"num_experts", "n_experts"},
    {"n_routed_experts", "n_experts"},
    {"top_k", "top_k"},
    {"n_activated_experts", "top_k"},
}};

/// The inner width of Llama's feed-forward part: two thirds of 4 h, times a factor, rounded up to
/// a multiple [Llama3, the reference implementation's FeedForward].
std::optional<std::int64_t> llama_width(const LogSettings& settings) {
  const auto dim = support::parsed<double>(setting_value(settings, "dim"));
  const auto multiple = support::parsed<double>(setting_value(settings, "multiple_of"));
  if (!dim || !multiple || !(*multiple >= 1.0) || !(*dim > 0.0) || *dim > 1e6) return std::nullopt;
  const auto factor = support::parsed<double>(setting_value(settings, "ffn_dim_multiplier"));
  const double plain = std::floor(8.0 * *dim / 3.0);
  const double wide = factor ? std::floor(*factor * plain) : plain;
  if (!(wide > 0.0) || wide > 1e9) return std::nullopt;
  return static_cast<std::int64_t>(std::ceil(wide / *multiple) * *multiple);
}

}  // namespace

void state_model_literal(std::string_view text, std::size_t line, LogRecorder& out) {
  LogSettings settings = literal_settings(text, line);
  state_settings(settings, shape_columns, out);
  const std::optional<std::int64_t> width = llama_width(settings);
  if (width && out.find("d_ff") == nullptr) {
    out.cell("d_ff", *width, "multiple_of and ffn_dim_multiplier", line);
  }
}

}  // namespace cubicbench::datasets
