#include "datasets/mapping/assumptions.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "scenarios/catalog.h"
#include "scenarios/input_error.h"

namespace cubicbench::datasets {
namespace {

TEST(Assumptions, NameEntriesOfTheLibraryOnly) {
  for (const AssumedStack& stack : assumptions().stacks) {
    EXPECT_TRUE(scenarios::text(scenarios::Kind::stack, stack.simulated_by)) << stack.simulated_by;
  }
  for (const AssumedNetwork& network : assumptions().networks) {
    EXPECT_TRUE(scenarios::text(scenarios::Kind::network, network.network)) << network.network;
    EXPECT_TRUE(scenarios::text(scenarios::Kind::device, network.device)) << network.device;
  }
}

TEST(Assumptions, SayEverythingOnceAndWhy) {
  std::set<std::string> said;
  for (const AssumedStack& stack : assumptions().stacks) {
    for (const Assumption& column : stack.columns) {
      EXPECT_TRUE(said.insert(stack.stack + "/" + column.name).second) << column.name;
      EXPECT_FALSE(column.why.empty()) << column.name;
    }
  }
  for (const AssumedNetwork& network : assumptions().networks) {
    EXPECT_TRUE(said.insert(network.device + "|" + network.fabric).second) << network.fabric;
  }
  EXPECT_GT(said.size(), 50U);
}

TEST(Assumptions, ReportEveryProblem) {
  constexpr const char* text = R"({"schema": "cubicbench.assumptions/1",
    "stacks": [{"stack": "a", "simulated_by": "b", "columns": [
      {"name": "tp", "value": 1.5, "why": "x"}, {"name": "pp", "value": 1, "why": ""}]}],
    "networks": [{"device": "d", "fabric": "", "network": "n"}],
    "models": [{"model": "m", "gated_ffn": 1, "tied_embeddings": false, "why": "y", "z": 1}]})";
  try {
    read_assumptions(text, "a.json");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const scenarios::InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "a.json#/stacks/0/columns/0/value: expected a text, an integer, true or false, got 1.5\n"
        "a.json#/stacks/0/columns/1/why: expected a text, got \"\"\n"
        "a.json#/networks/0/why: expected a string, got nothing\n"
        "a.json#/models/0/gated_ffn: expected true or false, got 1\n"
        "a.json#/models/0/z: unknown key");
  }
}

}  // namespace
}  // namespace cubicbench::datasets
