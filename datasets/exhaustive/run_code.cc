#include "datasets/exhaustive/run_code.h"

#include <cmath>

#include "sim/base/check.h"

namespace cubicbench::datasets {
namespace {

constexpr int group_bits = 7;
constexpr std::uint64_t group_mask = 0x7f;
constexpr std::uint64_t more = 0x80;
constexpr int number_bits = 64;

void add_number(std::uint64_t number, std::string& bytes) {
  for (; number > group_mask; number >>= group_bits) {
    bytes += static_cast<char>(static_cast<unsigned char>((number & group_mask) | more));
  }
  bytes += static_cast<char>(static_cast<unsigned char>(number));
}

/// How far the reading of a number came.
enum class Reading { whole, cut_off, broken };

Reading read_number(std::string_view bytes, std::size_t& at, std::uint64_t& number) {
  number = 0;
  for (int shift = 0; shift < number_bits; shift += group_bits) {
    if (at == bytes.size()) return Reading::cut_off;
    const std::uint64_t byte = static_cast<unsigned char>(bytes[at++]);
    const std::uint64_t group = byte & group_mask;
    if (group << shift >> shift != group) return Reading::broken;
    number |= group << shift;
    if ((byte & more) == 0) return Reading::whole;
  }
  return Reading::broken;
}

}  // namespace

void RunEncoder::add(const ValueRun& run, std::string& bytes) {
  const std::uint64_t bits = ordered_bits(run.value);
  SIM_ASSERT(bits > last_, run.value);
  add_number(bits - last_, bytes);
  add_number(run.count, bytes);
  last_ = bits;
}

std::optional<ValueRun> RunDecoder::next(std::string_view& bytes) {
  std::size_t at = 0;
  std::uint64_t distance = 0;
  std::uint64_t count = 0;
  Reading reading = read_number(bytes, at, distance);
  if (reading == Reading::whole) reading = read_number(bytes, at, count);
  if (reading == Reading::cut_off) return std::nullopt;
  const std::uint64_t bits = last_ + distance;
  const double value = value_of_bits(bits);
  if (reading == Reading::broken || distance == 0 || bits < last_ || count == 0 ||
      !std::isfinite(value)) {
    broken_ = true;
    return std::nullopt;
  }
  last_ = bits;
  bytes.remove_prefix(at);
  return ValueRun{.value = value, .count = count};
}

}  // namespace cubicbench::datasets
