#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/fits/collective_plan.h"
#include "datasets/fits/peer_result.h"
#include "datasets/mapping/named_parts.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using testing::HasSubstr;

TEST(InSamples, SaySomethingOfEveryTableAndPart) {
  std::size_t measured = 0;
  for (const NamedDataset& dataset : named_datasets()) {
    if (!dataset.measured) continue;
    ++measured;
    EXPECT_NE(find_in_sample(in_samples().sources, dataset.name), nullptr) << dataset.name;
  }
  EXPECT_EQ(in_samples().sources.size(), measured);
  for (const NamedPart& part : named_parts()) {
    EXPECT_NE(find_in_sample(in_samples().parts, part.name), nullptr) << part.name;
  }
  EXPECT_EQ(in_samples().parts.size(), named_parts().size());
  EXPECT_EQ(find_in_sample(in_samples().sources, "vtrain")->fitted, Fitted::yes);
  EXPECT_EQ(find_in_sample(in_samples().parts, "sc21")->fitted, Fitted::no);
  EXPECT_EQ(find_in_sample(in_samples().sources, "mine"), nullptr);
}

TEST(InSamples, TablesThatCostsAreFittedToAreFitted) {
  for (const CollectivePlan& plan : collective_plans()) {
    for (const std::string& table : plan.tables) {
      const InSample* const said = find_in_sample(in_samples().sources, table);
      ASSERT_NE(said, nullptr) << table;
      EXPECT_EQ(said->fitted, Fitted::yes) << table << ", to which " << plan.of << " is fitted";
    }
  }
}

TEST(InSamples, NameEveryProblem) {
  std::string message;
  try {
    read_in_samples(R"({"schema": "cubicbench.in_sample/1",
      "sources": [{"name": "a", "fitted": "perhaps", "why": ""}], "parts": [{"name": "b"}]})",
                    "in_sample.json");
  } catch (const support::InputError& error) {
    message = error.what();
  }
  EXPECT_THAT(message, HasSubstr("in_sample.json#/sources/0/fitted: expected one of no, partly, "
                                 "yes, got \"perhaps\""));
  EXPECT_THAT(message, HasSubstr("in_sample.json#/sources/0/why: expected a text, got \"\""));
  EXPECT_THAT(message, HasSubstr("in_sample.json#/parts/0/why: "));
}

}  // namespace
}  // namespace cubicbench::datasets
