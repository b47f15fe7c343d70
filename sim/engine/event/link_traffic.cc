#include "sim/engine/event/link_traffic.h"
namespace cubicbench::sim {
bool LinkTraffic::carries(std::uint32_t) const { return false; }
void LinkTraffic::start(std::uint32_t, const Transfer&) {}
void LinkTraffic::stop(std::uint32_t, const Transfer&) {}
std::span<const LinkTraffic::Change> LinkTraffic::settle() { return {}; }
}  // namespace cubicbench::sim
