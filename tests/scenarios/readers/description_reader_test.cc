#include "scenarios/readers/description_reader.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "scenarios/catalog.h"

namespace cubicbench::scenarios {
namespace {

/// The entry `name` as its file has it; a problem in it fails the test.
template <class Value>
Value read_entry(Kind kind, const std::string& name,
                 Value (*read)(const Document&, std::vector<support::Problem>&)) {
  std::vector<support::Problem> problems;
  const auto found = text(kind, name);
  EXPECT_TRUE(found) << name;
  const Document document{
      .file = file_of(kind, name), .directory = "", .text = std::string(found.value_or("{}"))};
  const Value value = read(document, problems);
  EXPECT_TRUE(problems.empty()) << problems.front().where << ": " << problems.front().text;
  return value;
}

sim::Device device_of(const std::string& name) {
  return read_entry(Kind::device, name, read_device);
}
sim::Stack stack_of(const std::string& name) { return read_entry(Kind::stack, name, read_stack); }

TEST(Devices, RunHalfPrecisionAndAreBuiltAsTheirKindIs) {
  for (const Entry& entry : names(Kind::device)) {
    SCOPED_TRACE(entry.name);
    const sim::Device device = device_of(entry.name);
    const auto peak = [&](sim::Dtype dtype) {
      return device.matmul_peak[static_cast<std::size_t>(dtype)].value;
    };
    const bool systolic = peak(sim::Dtype::fp16) == 0.0;  // TPUs and Trainium: bf16 alone
    const double half = peak(systolic ? sim::Dtype::bf16 : sim::Dtype::fp16);
    EXPECT_GT(half, peak(sim::Dtype::fp32));
    EXPECT_GE(half, peak(sim::Dtype::bf16));  // a V100 has no tensor cores for it
    // Loading a byte takes as long as some hundred operations; where products are cut to half
    // (GeForce) or to less (H20), some dozens.
    const double balance = half / device.memory_bandwidth.value;
    EXPECT_GT(balance, 35.0);
    EXPECT_LT(balance, 600.0);
    EXPECT_GE(device.memory.value, 15.0 * 1024 * 1024 * 1024);
    EXPECT_LT(device.host_bandwidth.value, device.memory_bandwidth.value / 10.0);
  }
}

TEST(Devices, OneProcessorWithOtherMemoryOrLinksComputesAlike) {
  for (const auto& [name, origin] : {std::array{"a800-80gb", "a100-sxm-80gb"},
                                     {"h800-80gb", "h100-sxm-80gb"},
                                     {"h200-sxm-141gb", "h100-sxm-80gb"}}) {
    SCOPED_TRACE(name);
    const sim::Device device = device_of(name);
    const sim::Device expected = device_of(origin);
    EXPECT_EQ(device.matmul_peak, expected.matmul_peak);
    EXPECT_EQ(device.sm_count, expected.sm_count);
    EXPECT_EQ(device.gemm_efficiency, expected.gemm_efficiency);
    EXPECT_EQ(device.kernel_overhead, expected.kernel_overhead);
  }
}

TEST(Stacks, ReadAndStayWithinWhatAProgramCanDo) {
  for (const Entry& entry : names(Kind::stack)) {
    SCOPED_TRACE(entry.name);
    const sim::Stack stack = stack_of(entry.name);
    EXPECT_LE(stack.gemm_factor, 1.2);  // isolated GEMMs are measured with other shapes and data
    EXPECT_LE(stack.tensor_overlap, stack.async_tensor_overlap);
    EXPECT_LE(stack.compiled_element_wise_factor, stack.element_wise_factor);
    EXPECT_NE(stack.host_layer_forward.value > 0.0, sim::counts_kernels(stack));
    EXPECT_GT(stack.outside_allocator.value, 0.0);
  }
}

// Beside each other nothing takes longer than one after the other, and nothing less than the
// longer.
TEST(Stacks, RefuseACostOfOverlapThatIsNoShare) {
  const std::string name = "laws";
  const std::string whole(text(Kind::stack, name).value_or("{}"));
  const std::size_t at = whole.find("\"overlap_cost\": 0.");
  ASSERT_NE(at, std::string::npos);
  for (const std::string value : {"1.01", "-0.5"}) {
    std::string changed = whole;
    const std::size_t from = at + std::string("\"overlap_cost\": ").size();
    changed.replace(from, changed.find(',', from) - from, value);
    std::vector<support::Problem> problems;
    read_stack({.file = "s.json", .directory = "", .text = changed}, problems);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems.front().where, "s.json#/overlap_cost");
    EXPECT_EQ(problems.front().text, "expected a number in [0, 1], got " + value);
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
