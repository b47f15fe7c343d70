#include "datasets/mapping/named_parts.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using Names = std::vector<std::string>;

Measurement run(const std::string& family, const std::string& framework, const std::string& source,
                const std::string& device = "a100-sxm-80gb", const std::string& notes = "") {
  Measurement row;
  row.family = family;
  row.framework = framework;
  row.source = source;
  row.device = device;
  row.notes = notes;
  return row;
}

/// Without those that most rows are in.
Names small_parts_of(const Measurement& row, bool has_experts) {
  Names names = parts_of(row, has_experts);
  std::erase_if(names, [](const std::string& name) {
    return name.starts_with("scored") || name == "all-but-bloom";
  });
  return names;
}

TEST(NamedParts, AreThoseOfTheContractInItsOrder) {
  Names names;
  for (const NamedPart& part : named_parts()) {
    names.push_back(part.name);
  }
  EXPECT_EQ(names, (Names{"vtrain-single", "vtrain-multi", "sc21", "korthikanti", "mosaicml-a100",
                          "mosaicml-h100", "simumax", "simumax-dense", "kempner", "kempner-dense",
                          "bridge-dense", "moe", "nanotron", "scored", "all-but-bloom",
                          "scored-but-vtrain-single"}));
}

TEST(NamedParts, TakeRowsOfTheirSourcesSeenOrNot) {
  struct Case {
    const char* name;
    Measurement row;
    bool has_experts;
    Names expected;
  };
  const std::string vtrain = "VIA-Research/vTrain data/ground_truth_";
  const std::string foundry = "MosaicML LLM-Foundry/Composer (PyTorch FSDP1)";
  const std::string bridge = "Megatron-Bridge/Megatron-Core 27.01";
  for (const Case& c :
       {Case{"one node",
             run("vtrain/single-L2-h64-gb1-n4", "Megatron-DeepSpeed", vtrain + "single.csv"),
             false,
             {"vtrain-single"}},
        Case{"many nodes",
             run("vtrain/39.1B", "Megatron-DeepSpeed", vtrain + "multi.csv"),
             false,
             {"vtrain-multi"}},
        Case{"Megatron-DeepSpeed of another party",
             run("bigscience/1B", "Megatron-DeepSpeed", "x"),
             false,
             {}},
        Case{"SC21",
             run("sc21/weak scaling", "Megatron-LM", "Narayanan et al. SC21 Table 1: x"),
             false,
             {"sc21"}},
        Case{"a copy of SC21",
             run("sc21/weak scaling", "Megatron-LM", "gkarfakis19/Rapid-LLM@1"),
             false,
             {}},
        Case{"Korthikanti",
             run("korthikanti/recompute knob", "Megatron-LM", "x"),
             false,
             {"korthikanti"}},
        Case{"MosaicML", run("mosaic/x", foundry, "x", "a100-sxm-40gb"), false, {"mosaicml-a100"}},
        Case{"MosaicML on H100",
             run("mosaic/x", foundry, "x", "h100-sxm-80gb"),
             false,
             {"mosaicml-h100"}},
        Case{
            "MosaicML with experts", run("mosaic/x", foundry, "x", "h100-sxm-80gb"), true, {"moe"}},
        Case{"SimuMax",
             run("simumax-b200/llama3_8b", "Megatron-LM 0.14", "x", "b200-sxm"),
             false,
             {"simumax", "simumax-dense"}},
        Case{"SimuMax with experts",
             run("simumax-b200/mixtral", "Megatron-LM 0.14", "x"),
             true,
             {"simumax", "moe"}},
        Case{"Kempner",
             run("kempner/1B", "KempnerForge (PyTorch FSDP2)", "x"),
             false,
             {"kempner", "kempner-dense"}},
        Case{"Kempner with experts",
             run("kempner/moe", "KempnerForge", "x"),
             true,
             {"kempner", "moe"}},
        Case{"pre-training",
             run("mbridge/a", bridge, "x", "gb200",
                 "pre-training performance; exploration of layouts"),
             false,
             {"bridge-dense"}},
        Case{"fine-tuning",
             run("mbridge/a", bridge, "x", "gb200", "NeMo 27.01; SFT performance"),
             false,
             {}},
        Case{"adapters", run("mbridge/a LoRA", bridge, "x", "gb200"), false, {}},
        Case{"pre-training with experts", run("mbridge/a", bridge, "x", "gb200"), true, {"moe"}},
        Case{"anything with experts", run("new", "new", "new"), true, {"moe"}},
        Case{"anything else", run("new", "new", "new"), false, {}}}) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(small_parts_of(c.row, c.has_experts), c.expected);
  }
}

TEST(NamedParts, OfManySourcesLeaveOutWhatIsSaid) {
  struct Case {
    const char* name;
    Measurement row;
    bool has_experts;
    Names expected;
  };
  for (const Case& c :
       {Case{"nanotron", run("new", "nanotron", "x"), false, {"nanotron", "all-but-bloom"}},
        Case{"tests of Megatron-Core",
             run("mcore-ci/gpt/gb200", "Megatron-Core CI dev", "x"),
             false,
             {"all-but-bloom"}},
        Case{"BLOOM",
             run("bigscience/1B", "Megatron-DeepSpeed", "x"),
             false,
             {"scored", "scored-but-vtrain-single"}},
        Case{"experts", run("new", "new", "x"), true, {"moe", "all-but-bloom"}},
        Case{"anything else",
             run("new", "new", "x"),
             false,
             {"scored", "all-but-bloom", "scored-but-vtrain-single"}},
        Case{"vTrain's single node",
             run("vtrain/single-L2-h64-gb1-n4", "Megatron-DeepSpeed", "VIA-Research/vTrain x"),
             false,
             {"vtrain-single", "scored", "all-but-bloom"}}}) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(parts_of(c.row, c.has_experts), c.expected);
  }
}

TEST(NamedParts, ReadsEveryProblemOfAFile) {
  const auto message_of = [](const std::string& text) -> std::string {
    try {
      read_named_parts(text, "parts.json");
    } catch (const support::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of(R"({"schema": "cubicbench.parts/1", "parts": [
      {"name": "", "match": [{"n_gpus": ["8"], "familly": ["x"]}], "why": "because"},
      {"name": "b", "experts": "some"}]})"),
            "parts.json#/parts/0/name: expected a text, got \"\"\n"
            "parts.json#/parts/0/match/0/n_gpus: expected a column of runs that holds text\n"
            "parts.json#/parts/0/match/0/familly: expected a column of runs that holds text\n"
            "parts.json#/parts/1/experts: expected one of any, dense, mixture, got \"some\"\n"
            "parts.json#/parts/1/why: expected a string, got nothing");
  EXPECT_EQ(message_of(R"({"schema": "cubicbench.parts/1", "parts": []})"), "");
}

}  // namespace
}  // namespace cubicbench::datasets
