#include "datasets/fits/peer_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using testing::HasSubstr;

TEST(PeerResults, ThatShipAreThePublishedOnes) {
  const auto& all = peer_results().results;
  const auto of = [&](std::string_view part, std::string_view simulator, PeerQuantity quantity) {
    const auto found = std::ranges::find_if(all, [&](const PeerResult& result) {
      return result.part == part && result.simulator == simulator && result.quantity == quantity;
    });
    return found == all.end() ? PeerResult{} : *found;
  };
  EXPECT_EQ(of("korthikanti", "Calculon", PeerQuantity::step_time).mean, 0.0365);
  EXPECT_EQ(of("sc21", "Calculon", PeerQuantity::step_time).mean, 0.074);
  EXPECT_EQ(of("vtrain-multi", "Calculon", PeerQuantity::step_time).p90, 0.24);
  EXPECT_EQ(of("vtrain-multi", "vTrain", PeerQuantity::step_time).basis, PeerBasis::claimed);
  EXPECT_EQ(of("vtrain-single", "vTrain", PeerQuantity::step_time).mean, 0.0837);
  EXPECT_EQ(of("simumax", "SimuMax", PeerQuantity::memory).mean, 0.0046);
  EXPECT_EQ(of("simumax", "SimuMax", PeerQuantity::step_time).rows, 43);
  for (const PeerResult& result : all) {
    EXPECT_GE(result.max.value_or(1.0), result.mean) << result.part << " " << result.simulator;
    EXPECT_GE(result.p90.value_or(1.0), result.median.value_or(0.0)) << result.part;
    // Beside every one of them stands what ours are worth.
    EXPECT_TRUE(std::ranges::any_of(peer_results().ours, [&](const OurNote& note) {
      return note.part == result.part && note.quantity == result.quantity;
    })) << result.part;
  }
}

TEST(PeerResults, NeedANoteASourceAndAKnownQuantity) {
  const std::string text = R"({"schema": "cubicbench.peers/1", "results": [
      {"part": "p", "simulator": "s", "quantity": "time", "rows": 0, "mean": 0.1,
       "basis": "measured", "note": "", "p99": 1}],
      "ours": [{"part": "p", "quantity": "memory"}]})";
  std::string message;
  try {
    read_peer_results(text, "peers.json");
  } catch (const support::InputError& error) {
    message = error.what();
  }
  EXPECT_THAT(message, HasSubstr("peers.json#/results/0/quantity: expected one of step_time, "
                                 "memory, got \"time\""));
  EXPECT_THAT(message, HasSubstr("peers.json#/results/0/rows: expected an integer >= 1, got 0"));
  EXPECT_THAT(message, HasSubstr("peers.json#/results/0/note: expected a text, got \"\""));
  EXPECT_THAT(message, HasSubstr("peers.json#/results/0/source: "));
  EXPECT_THAT(message, HasSubstr("peers.json#/results/0/p99: unknown key"));
  EXPECT_THAT(message, HasSubstr("peers.json#/ours/0/note: "));
  EXPECT_THAT(message, HasSubstr("peers.json#/ours/0/fitted: expected one of no, partly, yes"));
}

}  // namespace
}  // namespace cubicbench::datasets
