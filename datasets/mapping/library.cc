#include "datasets/mapping/library.h"

#include <algorithm>
#include <array>
#include <vector>

#include "datasets/mapping/measured_json.h"
#include "scenarios/catalog.h"
#include "scenarios/readers/description_reader.h"
#include "scenarios/readers/network_reader.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Kind;

template <class T>
Library::Shelf<T> read_shelf(Kind kind, T (*reader)(const scenarios::Document&,
                                                    std::vector<support::Problem>&)) {
  Library::Shelf<T> shelf;
  std::vector<support::Problem> problems;
  for (const scenarios::Entry& entry : scenarios::names(kind)) {
    shelf.emplace(entry.name,
                  reader(scenarios::find_document(kind, entry.name, "", entry.name), problems));
  }
  support::throw_if_any(problems);
  return shelf;
}

CostNames cost_names(const scenarios::Document& document, std::vector<support::Problem>& problems) {
  const auto described = scenarios::read_network_description(document, problems);
  const bool counted = described.adapters > 0.0 && described.domain_gpus > 0;
  return {.domain = described.domain_costs,
          .fabric = described.fabric_costs,
          .adapters_a_gpu =
              counted ? described.adapters / static_cast<double>(described.domain_gpus) : 1.0};
}

struct Generation {
  std::string_view begins;  ///< the device's name
  std::string_view name;
};

/// Cards of a generation have power limits, and rates, of their own.
constexpr std::array generations{Generation{"h100-pcie", "Hopper cards"},
                                 Generation{"h100-nvl", "Hopper cards"},
                                 Generation{"v100", "Volta"},
                                 Generation{"a100", "Ampere"},
                                 Generation{"a800", "Ampere"},
                                 Generation{"h100", "Hopper"},
                                 Generation{"h200", "Hopper"},
                                 Generation{"h800", "Hopper"},
                                 Generation{"b200", "Blackwell"},
                                 Generation{"b300", "Blackwell"},
                                 Generation{"gb200", "Blackwell"},
                                 Generation{"gb300", "Blackwell"}};

}  // namespace

const Library& library() {
  static const Library read{.devices = read_shelf(Kind::device, scenarios::read_device),
                            .networks = read_shelf(Kind::network, scenarios::read_network),
                            .stacks = read_shelf(Kind::stack, scenarios::read_stack),
                            .costs = read_shelf(Kind::network, cost_names)};
  return read;
}

std::string known_device(support::ObjectReader& in) {
  std::string device = non_empty(in, "device");
  if (!device.empty() && !library().devices.contains(device)) {
    in.problem("device", "expected a device of the library, got \"" + device + "\"");
  }
  return device;
}

std::string_view generation_of(std::string_view device) {
  const auto found = std::ranges::find_if(
      generations, [&](const Generation& one) { return device.starts_with(one.begins); });
  return found == generations.end() ? device : found->name;
}

}  // namespace cubicbench::datasets
