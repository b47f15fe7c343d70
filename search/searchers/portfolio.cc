#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/space/setting.h"
#include "search/embedded.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {
namespace {

using scenarios::Assignment;
using scenarios::Configuration;
using scenarios::SearchSpace;
using Json = nlohmann::ordered_json;

constexpr std::array portfolio_options{
    integer_option("size", 0, 0, 1'000'000, "how many of the optima it remembers; 0: all"),
    integer_option("random", 1, 0, 1, "1: then random search; 0: then it ends")};

/// The configuration of the space that has these settings; nothing where it has none such.
std::optional<Configuration> placed(const SearchSpace& space, const Json& settings) {
  std::vector<Assignment> assignment;
  for (const auto& [name, value] : settings.items()) {
    const scenarios::Setting* const setting = scenarios::find_setting(name);
    const auto code = setting == nullptr ? std::nullopt : code_of(*setting, value);
    if (!code) return std::nullopt;
    assignment.push_back({.setting = setting, .value = *code});
  }
  scenarios::Placement placement = space.from_assignment(assignment);
  return placement.in_space() ? std::optional(std::move(placement.configuration)) : std::nullopt;
}

class Portfolio final : public Searcher {
 public:
  Portfolio(const SearchContext& context, std::size_t size, bool then_random)
      : unproposed_(context.space, context.seed), then_random_(then_random) {
    if (context.baseline) unproposed_.take(*context.baseline);
    std::size_t remembered = 0;
    for (const support::EmbeddedFile& file : embedded_files()) {
      if (!file.path.starts_with("portfolio/")) continue;
      const Json document = support::parse_json(file.text, std::string(file.path));
      for (const Json& optimum : document["optima"]) {
        if (optimum["scenario"] == context.problem || (size > 0 && remembered == size)) continue;
        ++remembered;
        auto config = placed(context.space, optimum["config"]);
        if (config && unproposed_.take(*config)) optima_.push_back(std::move(*config));
      }
    }
  }

  std::optional<Proposal> ask() override {
    if (next_ == optima_.size()) {
      auto config = then_random_ ? unproposed_.take_random() : std::nullopt;
      return config ? std::optional(Proposal{.config = std::move(*config), .round = 1})
                    : std::nullopt;
    }
    return Proposal{.config = optima_[next_++], .round = 0};
  }

  void tell(const ToldTrial&) override {}

 private:
  Unproposed unproposed_;
  bool then_random_;
  std::vector<Configuration> optima_;  ///< those that the space has
  std::size_t next_ = 0;
};

std::unique_ptr<Searcher> make_portfolio(const SearcherSpec& spec, const SearchContext& context) {
  return std::make_unique<Portfolio>(context, static_cast<std::size_t>(option_of(spec, "size")),
                                     option_of(spec, "random") != 0);
}

}  // namespace

/// The certified optima of the suite's public problems, that of the problem itself left out, in
/// turn; what the space does not have is passed over. Then random search, or the end. What
/// remembering is worth: a suite whose problems are one problem is won by it.
SearcherEntry portfolio_searcher() {
  return {.name = "portfolio",
          .summary = "the optima of the suite's other public problems in turn, then random search",
          .options = portfolio_options,
          .make = make_portfolio};
}

}  // namespace cubicbench::search
