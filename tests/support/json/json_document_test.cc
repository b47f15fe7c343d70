#include "support/json/json_document.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace cubicbench::support {
namespace {

TEST(Document, KeepsOrderIndentsByTwoAndWritesShortestNumbers) {
  nlohmann::ordered_json document = new_document("simulate");
  document["z"] = {0.1, 5, true, nullptr};
  document["a"] = {{"text", "x\"y"}, {"none", nlohmann::ordered_json::array()}};
  EXPECT_EQ(document_text(document),
            "{\n"
            "  \"schema\": \"cubicbench.simulate/1\",\n"
            "  \"version\": \"" CUBICBENCH_VERSION
            "\",\n"
            "  \"z\": [\n    0.1,\n    5,\n    true,\n    null\n  ],\n"
            "  \"a\": {\n    \"text\": \"x\\\"y\",\n    \"none\": []\n  }\n"
            "}\n");
}

TEST(Document, OnALineKeepsOrderAndLeavesOutSpaces) {
  const nlohmann::ordered_json value = {
      {"z", {0.1, nullptr}}, {"a", "x y"}, {"none", nlohmann::ordered_json::object()}};
  EXPECT_EQ(line_text(value), "{\"z\":[0.1,null],\"a\":\"x y\",\"none\":{}}\n");
}

TEST(Document, IsTextWhateverAPathIs) {
  const nlohmann::ordered_json value = {{"t\xff", "a\xffz"}};
  EXPECT_EQ(line_text(value), "{\"t\uFFFD\":\"a\uFFFDz\"}\n");
}

TEST(Document, FloatsReadBackTheSame) {
  for (const double value : {1.0 / 3.0, 1e300, 5e-324, 123456789.125, 9007199254740993.0}) {
    EXPECT_EQ(nlohmann::json::parse(document_text(value)).get<double>(), value);
  }
  EXPECT_TRUE(std::signbit(nlohmann::json::parse(document_text(-0.0)).get<double>()));
}

}  // namespace
}  // namespace cubicbench::support
