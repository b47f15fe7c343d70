#include "scenarios/readers/fitted_description.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/readers/description_reader.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

Document document_of(Kind kind, const std::string& name) {
  return find_document(kind, name, "", name);
}

TEST(FourDigits, AreRoundedToTheNearest) {
  EXPECT_EQ(four_digits(0.0), 0.0);
  EXPECT_EQ(four_digits(1.15349), 1.153);
  EXPECT_EQ(four_digits(1.1536), 1.154);
  EXPECT_EQ(four_digits(12345.0), 12340.0);
  EXPECT_EQ(four_digits(0.000987654), 0.0009877);
}

TEST(FittedDescription, WithNothingFittedIsTheFile) {
  for (const Kind kind : {Kind::stack, Kind::device}) {
    for (const Entry& entry : names(kind)) {
      const Document document = document_of(kind, entry.name);
      EXPECT_EQ(Json::parse(with_fitted(document, {})).dump(), Json::parse(document.text).dump())
          << entry.name;
      EXPECT_EQ(described_name(document), entry.name);
    }
  }
}

TEST(FittedDescription, ChangesTheConstantAndItsSourceAlone) {
  const Document document = document_of(Kind::stack, "nanotron-2024");
  Json expected = Json::parse(document.text);
  expected["gemm_factor"] = 1.153;
  expected["sources"]["gemm_factor"] = "1 to 2; fitted";
  const FittedNumber number{
      .name = "gemm_factor", .value = 1.15349, .interval = "1 to 2", .source = "fitted"};
  EXPECT_EQ(with_fitted(document, {&number, 1}), expected.dump(2) + "\n");
}

TEST(FittedDescription, PutsWhatTheFileLeftOutBeforeItsSources) {
  Document document = document_of(Kind::stack, "nanotron-2024");
  Json without = Json::parse(document.text);
  without.erase("host_smoothness");
  without["sources"].erase("host_smoothness");
  document.text = without.dump();
  const FittedNumber number{
      .name = "host_smoothness", .value = 3.0, .interval = "1 to 2", .source = "fitted"};
  const std::string text = with_fitted(document, {&number, 1});
  const Json fitted = Json::parse(text);
  EXPECT_EQ(fitted["host_smoothness"].dump(), "3");
  std::vector<std::string> keys;
  for (const auto& [key, value] : fitted.items()) keys.push_back(key);
  EXPECT_EQ(keys[keys.size() - 2], "host_smoothness");
  EXPECT_EQ(keys.back(), "sources");
  std::vector<support::Problem> problems;
  const sim::Stack stack =
      read_stack({.file = "fitted.json", .directory = "", .text = text}, problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(stack.host_smoothness, 3.0);
}

/// A stack whose numbers are all its base's has no sources of its own.
TEST(FittedDescription, BeginsTheSourcesOfAFileWithoutAny) {
  const Document bare{.file = "nearest.json",
                      .directory = "",
                      .text = R"({"name": "ours", "base": "torchtitan-2025"})"};
  const FittedNumber number{
      .name = "gemm_factor", .value = 0.9, .interval = "0.8 to 1", .source = "fitted"};
  EXPECT_EQ(Json::parse(with_fitted(bare, {&number, 1})).dump(),
            R"({"name":"ours","base":"torchtitan-2025","gemm_factor":0.9,)"
            R"("sources":{"gemm_factor":"0.8 to 1; fitted"}})");
}

/// One entry of the table of attention rates, by a source of its own.
FittedNumber attention(const std::string& kernel, double value, const std::string& source) {
  return {.name = "attention_efficiency." + kernel,
          .value = value,
          .interval = "0.3 to 0.7",
          .source = source};
}

TEST(FittedDescription, EveryEntryOfATableHasASourceOfItsOwn) {
  Document document = document_of(Kind::device, "h100-sxm-80gb");
  Json named = Json::parse(document.text);
  named["sources"]["attention_efficiency"] = "read off a figure";
  document.text = named.dump();
  const std::vector<FittedNumber> numbers{attention("flash2", 0.35, "fitted to one table"),
                                          attention("flash3", 0.6, "fitted to another")};
  for (int times = 0; times < 2; ++times) {
    document.text = with_fitted(document, numbers);
    const Json fitted = Json::parse(document.text);
    EXPECT_EQ(fitted["attention_efficiency"]["flash2"], 0.35);
    EXPECT_EQ(fitted["attention_efficiency"]["cudnn"], named["attention_efficiency"]["cudnn"]);
    EXPECT_EQ(fitted["sources"]["attention_efficiency"],
              (Json{{"flash1", "read off a figure"},
                    {"flash2", "0.3 to 0.7; fitted to one table"},
                    {"flash3", "0.3 to 0.7; fitted to another"},
                    {"cudnn", "read off a figure"}}));
    std::vector<support::Problem> problems;
    read_device(document, problems);
    EXPECT_TRUE(problems.empty()) << problems.front().text;
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
