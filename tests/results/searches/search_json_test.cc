#include "results/searches/search_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

TEST(SearchJson, HasTheKeysOfTheContract) {
  search::SearchResult result;
  search::StudySummary study{.study = "tiny.0.random.1",
                             .scenario = "tiny",
                             .instance = 0,
                             .searcher = "random",
                             .seed = 1,
                             .trials = 12,
                             .failed = 3,
                             .best = search::BestTrial{.trial = 4,
                                                       .value = 1.5,
                                                       .config = {{"tensor_parallel", "8"},
                                                                  {"compile", "true"},
                                                                  {"sharding", "\"zero1\""}}},
                             .cost_gpu_hours = 0.25};
  result.studies.push_back(study);
  study.best.reset();
  study.seed = 2;
  result.studies.push_back(study);
  nlohmann::ordered_json document = search_json(result);
  EXPECT_EQ(document["schema"], "cubicbench.search/1");
  EXPECT_EQ(support::line_text(document["studies"]),
            R"([{"study":"tiny.0.random.1","scenario":"tiny","instance":0,"searcher":"random",)"
            R"("seed":1,"trials":12,"failed":3,"best":{"trial":4,"value":1.5,"config":)"
            R"({"tensor_parallel":8,"compile":true,"sharding":"zero1"}},"cost_gpu_hours":0.25},)"
            R"({"study":"tiny.0.random.1","scenario":"tiny","instance":0,"searcher":"random",)"
            R"("seed":2,"trials":12,"failed":3,"best":null,"cost_gpu_hours":0.25}])"
            "\n");
}

}  // namespace
}  // namespace cubicbench::results
