#pragma once

#include <cstddef>

namespace cubicbench::sim {

enum class Dtype { fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4 };
inline constexpr int dtype_count = 7;

/// What a number format is to whatever computes, keeps or sends it, so that nothing else asks for
/// one by name. fp8, mxfp8 and nvfp4 are compute formats: tensors that travel or are kept between
/// kernels stay in 16 bits unless said otherwise.
struct FormatTraits {
  double storage_bytes = 4.0;  ///< of one stored element
  double wire_bytes = 4.0;     ///< of one that is quantised: for the wire, or as a product keeps it
  bool kept = false;           ///< weights are gathered and gradients reduced in it
  bool sent = false;           ///< rows of tables and their gradients can travel in it
  bool quantised = false;      ///< tensors are cast for the products that read them
  bool narrow_range = false;   ///< gradients need a scaled loss, and copies that are unscaled
  /// Streamed to quantise one element of 16 bits for the products that read it
  /// [docs/models.md, Eq. K-9].
  double quantising_bytes = 0.0;
};

/// Bytes to quantise an element, after the recipes Float8CurrentScaling, MXFP8BlockScaling and
/// NVFP4BlockScaling of github.com/NVIDIA/TransformerEngine and arXiv 2509.25149, section 4:
///
///   fp8    one scale a tensor: 2 for the largest magnitude, 2 + 1 + 1 for the copy and its
///          transpose
///   mxfp8  one scale of a byte for 32 elements along either direction: 2 + 2 (1 + 1/32)
///   nvfp4  a scale a tensor, and one of a byte for 16 elements: 2 + 2 (2 + 1/2 + 1/16), the second
///          copy is rotated before it is quantised and made by a kernel of its own
///
/// Left out: quantising the weights, which is done once a step.
constexpr FormatTraits traits(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp32:
      return {.kept = true, .sent = true};
    case Dtype::tf32:
      return {};
    case Dtype::fp16:
      return {.storage_bytes = 2.0,
              .wire_bytes = 2.0,
              .kept = true,
              .sent = true,
              .narrow_range = true};
    case Dtype::bf16:
      return {.storage_bytes = 2.0, .wire_bytes = 2.0, .kept = true, .sent = true};
    case Dtype::fp8:
      return {.storage_bytes = 2.0,
              .wire_bytes = 1.0,
              .sent = true,
              .quantised = true,
              .quantising_bytes = 2.0 + 2.0 + 1.0 + 1.0};
    case Dtype::mxfp8:
      return {.storage_bytes = 2.0,
              .wire_bytes = 1.0,
              .quantised = true,
              .quantising_bytes = 2.0 + 2.0 * (1.0 + 1.0 / 32.0)};
    case Dtype::nvfp4:
      return {.storage_bytes = 2.0,
              .wire_bytes = 0.5,
              .quantised = true,
              .quantising_bytes = 2.0 + 2.0 * (2.0 + 0.5 + 1.0 / 16.0)};
  }
  return {};
}

constexpr double storage_bytes(Dtype dtype) { return traits(dtype).storage_bytes; }
constexpr double wire_bytes(Dtype dtype) { return traits(dtype).wire_bytes; }
constexpr double quantising_bytes(Dtype dtype) { return traits(dtype).quantising_bytes; }
constexpr bool is_quantised(Dtype dtype) { return traits(dtype).quantised; }
constexpr bool has_narrow_range(Dtype dtype) { return traits(dtype).narrow_range; }

/// Row of a table by format.
constexpr std::size_t row_of(Dtype dtype) { return static_cast<std::size_t>(dtype); }

}  // namespace cubicbench::sim
