#include "scenarios/description_reader.h"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "scenarios/constants.h"
#include "scenarios/object_reader.h"
#include "scenarios/strict_json.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::array<std::string_view, sim::dtype_count> dtypes{"fp32", "tf32",  "fp16", "bf16",
                                                                "fp8",  "mxfp8", "nvfp4"};
constexpr std::array<std::string_view, 5> attention_kernels{"unfused", "flash1", "flash2", "flash3",
                                                            "cudnn"};
constexpr std::array<std::string_view, 4> stage_balances{"even", "ends_short", "by_cost",
                                                         "even_or_ends_short"};

constexpr std::array<std::string_view, 2> context_exchanges{"all_gather", "ring"};

constexpr double micro = 1e-6;
constexpr double giga = 1e9;
constexpr double tera = 1e12;
constexpr double gib = 1024.0 * 1024.0 * 1024.0;

/// One description file: reads its head, remembers which numbers it gave, and at the end asks for
/// a source of each.
class Description {
 public:
  Description(const nlohmann::ordered_json& json, const std::string& file, Kind kind,
              std::vector<Problem>& problems)
      : in_(json, file, "", problems) {
    const std::string schema = "cubicbench." + std::string(name_of(kind)) + "/1";
    const std::string_view only[] = {schema};
    in_.one_of("schema", only);
    in_.allow("version");
    check_name(in_.string("name"), in_.where("name"), problems);
    in_.string("summary", "");
  }

  double required(std::string_view key, double min, double max) {
    cited_.emplace_back(key);
    return in_.number(key, min, max);
  }

  double number(std::string_view key, double min, double max, double otherwise) {
    cite_if_given(key);
    return in_.number(key, min, max, otherwise);
  }

  int integer(std::string_view key, int min, int max, int otherwise) {
    cite_if_given(key);
    return static_cast<int>(in_.integer(key, min, max, otherwise));
  }

  int required_integer(std::string_view key, int min, int max) {
    cited_.emplace_back(key);
    return static_cast<int>(in_.integer(key, min, max));
  }

  bool boolean(std::string_view key, bool otherwise) {
    cite_if_given(key);
    return in_.boolean(key, otherwise);
  }

  template <class Enum>
  Enum choice(std::string_view key, std::span<const std::string_view> choices, Enum otherwise) {
    cite_if_given(key);
    return static_cast<Enum>(in_.one_of(key, choices, static_cast<std::size_t>(otherwise)));
  }

  ObjectReader object(std::string_view key) {
    cited_.emplace_back(key);
    return in_.object(key);
  }

  bool has(std::string_view key) const { return in_.has(key); }

  void finish() {
    ObjectReader sources = in_.object("sources");
    if (in_.has("sources")) {
      for (const std::string& key : cited_) require_source(sources, key);
    }
    sources.finish();
    in_.finish();
  }

 private:
  void cite_if_given(std::string_view key) {
    if (in_.has(key)) {
      cited_.emplace_back(key);
    }
  }

  /// One text, or of a table a text an entry.
  void require_source(ObjectReader& sources, const std::string& key) {
    const nlohmann::ordered_json* const described = in_.raw(key);
    const nlohmann::ordered_json* const source = sources.raw(key);
    const bool of_table = described != nullptr && described->is_object();
    if (!of_table || source == nullptr || !source->is_object()) return require_text(sources, key);
    ObjectReader entries = sources.object(key);
    for (const auto& [entry, value] : described->items()) require_text(entries, entry);
    entries.finish();
  }

  static void require_text(ObjectReader& sources, const std::string& key) {
    const nlohmann::ordered_json* const text = sources.raw(key);
    if (sources.string(key).empty() && text != nullptr && text->is_string()) {
      sources.problem(key, "expected the source of \"" + key + "\", got \"\"");
    }
  }

  ObjectReader in_;
  std::vector<std::string> cited_;
};

template <class T>
void read_constant(Description& in, const Constant<T>& constant, T& into) {
  const double otherwise = value_of(constant, into);
  set_value(constant, in.number(constant.name, constant.min, constant.max, otherwise), into);
}

bool good_name(const std::string& name) {
  return !name.empty() &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") == std::string::npos;
}

}  // namespace

std::span<const std::string_view> dtype_names() { return dtypes; }
std::span<const std::string_view> attention_kernel_names() { return attention_kernels; }
std::span<const std::string_view> stage_balance_names() { return stage_balances; }
std::span<const std::string_view> context_exchange_names() { return context_exchanges; }

void check_name(const std::string& name, const std::string& where, std::vector<Problem>& problems) {
  const bool reported = !problems.empty() && problems.back().where == where;
  if (!good_name(name) && !reported) {
    problems.push_back(
        {where, "expected a name of a-z, 0-9, '.' and '-', got \"" + shortened(name) + "\""});
  }
}

sim::Device read_device(const Document& document, std::vector<Problem>& problems) {
  const auto json = parse_json(document.text, document.file);
  Description in(json, document.file, Kind::device, problems);
  sim::Device device;
  ObjectReader rates = in.object("matmul_tflops");
  for (std::size_t i = 0; i < dtypes.size(); ++i) {
    device.matmul_peak[i] = {rates.number(dtypes[i], 0.0, 1e6, 0.0) * tera};
  }
  rates.finish();
  device.memory = {in.required("memory_gib", 0.1, 1e5) * gib};
  device.memory_bandwidth = {in.required("memory_tb_s", 0.001, 1e4) * tera};
  device.host_bandwidth = {in.number("host_gb_s", 0.001, 1e6, 25.0) * giga};
  device.sm_count = in.required_integer("sm_count", 1, 100'000);
  for (const DeviceConstant& constant : device_constants()) read_constant(in, constant, device);
  if (in.has("attention_efficiency")) {
    ObjectReader kernels = in.object("attention_efficiency");
    for (std::size_t i = 1; i < attention_kernels.size(); ++i) {
      double& share = device.attention_efficiency[i];
      share = kernels.number(attention_kernels[i], 0.01, 1.0, share);
    }
    kernels.finish();
  }
  in.finish();
  return device;
}

sim::Network read_network(const Document& document, std::vector<Problem>& problems) {
  const auto json = parse_json(document.text, document.file);
  Description in(json, document.file, Kind::network, problems);
  sim::Network network;
  network.intra_bandwidth = {in.required("intra_bandwidth_gb_s", 0.001, 1e6) * giga};
  network.intra.simple.share = in.number("intra_efficiency", 0.01, 1.0, network.intra.simple.share);
  network.intra.simple.step = {in.number("intra_latency_us", 0.0, 1e6, 0.0) * micro};
  network.inter_bandwidth = {in.required("inter_bandwidth_gb_s", 0.001, 1e6) * giga};
  network.inter.gather.share = in.number("inter_efficiency", 0.01, 1.0, network.inter.gather.share);
  network.inter.reduce.share = network.inter.gather.share;
  network.inter.message.share = network.inter.gather.share;
  network.inter.exchange.share =
      in.number("all_to_all_efficiency", 0.01, 1.0, network.inter.exchange.share);
  network.inter.message.base = {in.number("inter_latency_us", 0.0, 1e6, 0.0) * micro};
  network.inter.gather.base = network.inter.message.base;
  network.inter.reduce.base = network.inter.message.base;
  network.direct_peers = in.integer("direct_peers", 0, 1023, 0);
  if (network.direct_peers > 0) network.domain = sim::DomainKind::direct;
  network.intra.simple.base = {in.number("collective_overhead_us", 0.0, 1e6, 0.0) * micro};
  in.finish();
  return network;
}

sim::Stack read_stack(const Document& document, std::vector<Problem>& problems) {
  const auto json = parse_json(document.text, document.file);
  Description in(json, document.file, Kind::stack, problems);
  sim::Stack s;
  s.attention = in.choice("attention", attention_kernels, s.attention);
  for (const StackConstant& constant : stack_constants()) read_constant(in, constant, s);
  s.cuda_graphs = in.boolean("cuda_graphs", s.cuda_graphs);
  s.keeps_quantised = in.boolean("keeps_quantised", s.keeps_quantised);
  s.logits_split = in.boolean("logits_split", s.logits_split);
  s.allocator_replayed = in.boolean("allocator_replayed", s.allocator_replayed);
  s.balance = in.choice("balance", stage_balances, s.balance);
  s.context = in.choice("context_exchange", context_exchanges, s.context);
  in.finish();
  return s;
}

}  // namespace cubicbench::scenarios
