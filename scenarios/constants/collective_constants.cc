#include "scenarios/constants/collective_constants.h"

#include <array>

#include "support/prefixes.h"

namespace cubicbench::scenarios {
namespace {

using sim::DomainCosts;
using sim::FabricCosts;
using sim::FabricFamily;
using sim::FabricMessage;
using sim::RingProtocol;

using support::giga;
using support::micro;
constexpr double us_max = 1e6;
constexpr double share_max = 4.0;  // trees send each byte once where a ring sends it twice

template <auto member>
double& in_domain(DomainCosts& costs) {
  return number_of(costs, member);
}
template <auto protocol, auto member>
double& in_protocol(DomainCosts& costs) {
  return number_of(costs.*protocol, member);
}
template <auto family, auto member>
double& in_fabric(FabricCosts& costs) {
  return number_of(costs.*family, member);
}

using DomainConstant = CollectiveConstant<DomainCosts>;
using FabricConstant = CollectiveConstant<FabricCosts>;

constexpr auto ll = &DomainCosts::ll;
constexpr auto ll128 = &DomainCosts::ll128;
constexpr auto simple = &DomainCosts::simple;

constexpr std::array of_domains{
    DomainConstant{"ll.share", in_protocol<ll, &RingProtocol::share>, 1.0, 0.0, 1.0},
    DomainConstant{"ll.base_us", in_protocol<ll, &RingProtocol::base>, micro, 0.0, us_max},
    DomainConstant{"ll.step_us", in_protocol<ll, &RingProtocol::step>, micro, 0.0, us_max},
    DomainConstant{"ll.floor_us", in_domain<&DomainCosts::ll_floor>, micro, 0.0, us_max},
    DomainConstant{"ll128.share", in_protocol<ll128, &RingProtocol::share>, 1.0, 0.0, 1.0},
    DomainConstant{"ll128.base_us", in_protocol<ll128, &RingProtocol::base>, micro, 0.0, us_max},
    DomainConstant{"ll128.step_us", in_protocol<ll128, &RingProtocol::step>, micro, 0.0, us_max},
    DomainConstant{"simple.share", in_protocol<simple, &RingProtocol::share>, 1.0, 0.001, 1.0},
    DomainConstant{"simple.base_us", in_protocol<simple, &RingProtocol::base>, micro, 0.0, us_max},
    DomainConstant{"simple.step_us", in_protocol<simple, &RingProtocol::step>, micro, 0.0, us_max},
    DomainConstant{"simple.fill_us", in_protocol<simple, &RingProtocol::fill>, micro, 0.0, us_max},
    DomainConstant{"small_group_loss", in_domain<&DomainCosts::small_group_loss>, 1.0, 0.0, 0.99},
    DomainConstant{"nvls.share", in_domain<&DomainCosts::nvls_share>, 1.0, 0.0, 2.0},
    DomainConstant{"nvls.base_us", in_domain<&DomainCosts::nvls_base>, micro, 0.0, us_max},
    DomainConstant{"nvls.fill_us", in_domain<&DomainCosts::nvls_fill>, micro, 0.0, us_max},
    DomainConstant{"exchange.floor_us", in_domain<&DomainCosts::exchange_floor>, micro, 0.0,
                   us_max},
    DomainConstant{"exchange.share", in_domain<&DomainCosts::exchange_share>, 1.0, 0.001, 1.0},
    DomainConstant{"message.base_us", in_domain<&DomainCosts::message_base>, micro, 0.0, us_max},
    DomainConstant{"message.channel_ll_gb_s", in_domain<&DomainCosts::message_channel_ll>, giga,
                   0.001, 1e6},
    DomainConstant{"message.channel_gb_s", in_domain<&DomainCosts::message_channel>, giga, 0.001,
                   1e6},
    DomainConstant{"message.share", in_domain<&DomainCosts::message_share>, 1.0, 0.001, 1.0},
};

template <auto family>
constexpr std::array<FabricConstant, 6> family_constants(
    const std::array<std::string_view, 6>& names) {
  return {{
      {names[0], in_fabric<family, &FabricFamily::low_share>, 1.0, 0.0, share_max},
      {names[1], in_fabric<family, &FabricFamily::low_base>, micro, 0.0, us_max},
      {names[2], in_fabric<family, &FabricFamily::share>, 1.0, 0.001, share_max},
      {names[3], in_fabric<family, &FabricFamily::share_many>, 1.0, 0.0, share_max},
      {names[4], in_fabric<family, &FabricFamily::base>, micro, 0.0, us_max},
      {names[5], in_fabric<family, &FabricFamily::fill>, micro, 0.0, us_max},
  }};
}

constexpr auto of_reduce = family_constants<&FabricCosts::reduce>(
    {"reduce.low_share", "reduce.low_base_us", "reduce.share", "reduce.share_many",
     "reduce.base_us", "reduce.fill_us"});
constexpr auto of_gather = family_constants<&FabricCosts::gather>(
    {"gather.low_share", "gather.low_base_us", "gather.share", "gather.share_many",
     "gather.base_us", "gather.fill_us"});
constexpr auto of_exchange = family_constants<&FabricCosts::exchange>(
    {"exchange.low_share", "exchange.low_base_us", "exchange.share", "exchange.share_many",
     "exchange.base_us", "exchange.fill_us"});

constexpr auto message = &FabricCosts::message;
constexpr std::array<FabricConstant, 5> of_message{{
    {"message.base_us", in_fabric<message, &FabricMessage::base>, micro, 0.0, us_max},
    {"message.low_gb_s", in_fabric<message, &FabricMessage::low_rate>, giga, 0.001, 1e6},
    {"message.switch_us", in_fabric<message, &FabricMessage::switched>, micro, 0.0, us_max},
    {"message.channel_gb_s", in_fabric<message, &FabricMessage::channel>, giga, 0.001, 1e6},
    {"message.share", in_fabric<message, &FabricMessage::share>, 1.0, 0.001, share_max},
}};

template <std::size_t... counts>
constexpr auto joined(const std::array<FabricConstant, counts>&... parts) {
  std::array<FabricConstant, (counts + ...)> all{};
  std::size_t at = 0;
  const auto add = [&](const auto& part) {
    for (const FabricConstant& constant : part) all[at++] = constant;
  };
  (add(parts), ...);
  return all;
}

constexpr auto of_fabrics = joined(of_reduce, of_gather, of_exchange, of_message);

}  // namespace

std::span<const DomainConstant> domain_constants() { return of_domains; }
std::span<const FabricConstant> fabric_constants() { return of_fabrics; }

const DomainConstant* find_domain_constant(std::string_view name) {
  return find_constant(domain_constants(), name);
}
const FabricConstant* find_fabric_constant(std::string_view name) {
  return find_constant(fabric_constants(), name);
}

}  // namespace cubicbench::scenarios
