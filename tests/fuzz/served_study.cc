#include "tests/fuzz/served_study.h"

#include <algorithm>

#include "scenarios/readers/scenario_reader.h"
#include "search/ledger/ledger.h"
#include "search/searchers/registry.h"
#include "support/input_error.h"
#include "tests/fuzz/checked_command.h"

namespace cubicbench::fuzz {

void with_served_study(const std::function<void(search::ServedSearch&)>& talk) {
  static const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  const std::filesystem::path folder = fresh_folder() / "served";
  {
    search::SearchPlan plan;
    plan.scenarios = {scenario};
    plan.searchers = {search::outside_searcher("client", "--as")};
    plan.trials = 6;
    search::SearchRun run;
    run.out = folder;
    search::ServedSearch served(plan, run);
    try {
      talk(served);
    } catch (const search::Refused&) {
    } catch (const support::OutputError&) {
    }
  }
  checked({"verify", folder, "--json"});
}

void for_each_line(std::string_view text, const std::function<void(std::string_view)>& take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace cubicbench::fuzz
