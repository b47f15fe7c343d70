#include "scenarios/description_reader.h"

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
                 Value (*read)(const Document&, std::vector<Problem>&)) {
  std::vector<Problem> problems;
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
sim::Network network_of(const std::string& name) {
  return read_entry(Kind::network, name, read_network);
}
sim::Stack stack_of(const std::string& name) { return read_entry(Kind::stack, name, read_stack); }

TEST(Devices, RunHalfPrecisionAndAreBuiltAsTheirKindIs) {
  for (const Entry& entry : names(Kind::device)) {
    SCOPED_TRACE(entry.name);
    const sim::Device device = device_of(entry.name);
    const auto peak = [&](sim::Dtype dtype) {
      return device.matmul_peak[static_cast<std::size_t>(dtype)].value;
    };
    EXPECT_GT(peak(sim::Dtype::fp16), peak(sim::Dtype::fp32));
    EXPECT_GE(peak(sim::Dtype::fp16), peak(sim::Dtype::bf16));  // a V100 has no tensor cores for it
    // Loading a byte takes as long as some hundred operations on every one of these.
    const double balance = peak(sim::Dtype::fp16) / device.memory_bandwidth.value;
    EXPECT_GT(balance, 100.0);
    EXPECT_LT(balance, 500.0);
    EXPECT_GE(device.memory.value, 30.0 * 1024 * 1024 * 1024);
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

TEST(Networks, AreFasterInsideANodeThanBetweenNodes) {
  for (const Entry& entry : names(Kind::network)) {
    SCOPED_TRACE(entry.name);
    const sim::Network network = network_of(entry.name);
    EXPECT_GT(network.intra.simple.share * network.intra_bandwidth,
              network.inter.gather.share * network.inter_bandwidth);
    EXPECT_LT(network.intra.simple.step, network.inter.message.base);
    EXPECT_GT(network.intra.simple.base.value, 0.0);
  }
}

TEST(Networks, HaveTheRatesOfTheirLinksAndAdapters) {
  struct Case {
    const char* name;
    double links;       ///< of a GPU inside a node
    double link_gb_s;   ///< of one of them, one direction
    double nics;        ///< of a node
    double nic_gbit_s;  ///< of one of them
    int gpus;           ///< of a node
  };
  for (const Case& c :
       {Case{"nvlink2-edr", 6, 25, 4, 100, 8},                                             //
        Case{"nvlink3-hdr", 12, 25, 8, 200, 8},                                            //
        Case{"nvlink3-roce", 12, 25, 8, 200, 8},                                           //
        Case{"nvlink3-efa", 12, 25, 4, 100, 8},                                            //
        Case{"nvlink3-opa", 4, 25, 4, 100, 8},                                             //
        Case{"nvlink3-slingshot", 12, 25, 4, 200, 4}, Case{"a800-hdr", 8, 25, 8, 200, 8},  //
        Case{"nvlink4-ndr", 18, 25, 8, 400, 8},                                            //
        Case{"nvlink4-efa", 18, 25, 32, 100, 8},                                           //
        Case{"nvlink4-tcpxo", 18, 25, 8, 200, 8},                                          //
        Case{"nvlink4-tcpx", 18, 25, 4, 200, 8},                                           //
        Case{"nvlink4-tcp", 18, 25, 1, 100, 8},                                            //
        Case{"h800-ndr", 8, 25, 8, 400, 8},                                                //
        Case{"nvlink5-ndr", 18, 50, 8, 400, 8},                                            //
        Case{"nvlink5-roce", 18, 50, 8, 400, 8},                                           //
        Case{"nvlink5-xdr", 18, 50, 8, 800, 8},                                            //
        Case{"nvl72-ndr", 18, 50, 4, 400, 4},                                              //
        Case{"mi300x-roce", 7, 64, 8, 400, 8},                                             //
        Case{"mi355x-roce", 7, 76.5, 8, 400, 8}}) {
    SCOPED_TRACE(c.name);
    const sim::Network network = network_of(c.name);
    EXPECT_DOUBLE_EQ(network.intra_bandwidth.value, c.links * c.link_gb_s * 1e9);
    EXPECT_DOUBLE_EQ(network.inter_bandwidth.value, c.nics * c.nic_gbit_s / 8 * 1e9 / c.gpus);
  }
}

TEST(Stacks, ReadAndStayWithinWhatAProgramCanDo) {
  for (const Entry& entry : names(Kind::stack)) {
    SCOPED_TRACE(entry.name);
    const sim::Stack stack = stack_of(entry.name);
    EXPECT_LE(stack.gemm_factor, 1.2);  // isolated GEMMs are measured with other shapes and data
    EXPECT_LE(stack.tensor_overlap, stack.async_tensor_overlap);
    EXPECT_LE(stack.compiled_element_wise_factor, stack.element_wise_factor);
    EXPECT_GT(stack.host_layer_forward.value, 0.0);
    EXPECT_GT(stack.outside_allocator.value, 0.0);
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
