#include "search/launch/launcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/input_error.h"

namespace cubicbench::search {
namespace {

using testing::HasSubstr;

/// A launcher of recommendation models whose rules are `rules`.
std::string file_with(const std::string& rules, const std::string& more = "") {
  return R"({"schema": "cubicbench.launcher/1", "program": "p", "version": "1", "source": "here",
             "workloads": ["recommendation"], "form": "words", "model": "m", "model_help": "a model",
             "start": ["p"], "script": ["{model}"], "rules": [)" +
         rules + "]" + more + "}";
}

/// One that is about every setting in a single rule.
std::string whole_rule() {
  std::string names;
  for (const scenarios::Setting& setting : scenarios::settings()) {
    names += (names.empty() ? "\"" : ", \"") + std::string(setting.name) + "\"";
  }
  return R"({"settings": [)" + names + R"(], "cases": [{"implied": "so"}]})";
}

std::string problems_of(const std::string& text) {
  try {
    read_launcher(text, "p.json");
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Launchers, AreReadAndSorted) {
  std::vector<std::string> names;
  for (const Launcher& launcher : launchers()) names.push_back(launcher.name());
  const std::vector<std::string> expected{"megatron-bridge@0.6.0", "megatron-lm@0.19",
                                          "torchrec@1.3.0",        "torchrun-fsdp2@2",
                                          "torchtitan@0.2.2",      "torchtitan@main"};
  EXPECT_EQ(names, expected);
}

TEST(Launchers, AreFoundByTheirNames) {
  EXPECT_EQ(find_launcher("torchtitan@main", "--for").version, "main");
  try {
    find_launcher("torchtitan@0.2.1", "--for");
    FAIL() << "there is no such version";
  } catch (const support::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "--for: expected one of megatron-bridge@0.6.0, megatron-lm@0.19, torchrec@1.3.0, "
                 "torchrun-fsdp2@2, torchtitan@0.2.2, torchtitan@main, got \"torchtitan@0.2.1\"; "
                 "did you mean \"torchtitan@0.2.2\"?");
  }
}

TEST(Launchers, EachHasARuleAboutEverySettingOfItsModels) {
  for (const Launcher& launcher : launchers()) {
    for (const scenarios::Setting& setting : scenarios::settings()) {
      const bool wanted = std::ranges::any_of(
          launcher.workloads, [&](auto kind) { return scenarios::belongs(setting, kind); });
      const auto rules = std::ranges::count_if(launcher.rules, [&](const LaunchRule& rule) {
        return std::ranges::find(rule.settings, &setting) != rule.settings.end();
      });
      EXPECT_EQ(rules, wanted ? 1 : 0) << launcher.name() << " " << setting.name;
    }
  }
}

TEST(ReadLauncher, NamesWhatIsMissing) {
  EXPECT_EQ(problems_of(file_with(whole_rule())), "");
  EXPECT_THAT(problems_of(file_with("")),
              HasSubstr("p.json#/rules: expected one about embedding_plan, got none"));
  EXPECT_THAT(problems_of(file_with(whole_rule(), R"(, "file": {"name": "f", "lines": []})")),
              HasSubstr("p.json#/file: expected one where options are assignments or keywords"));
}

TEST(ReadLauncher, NamesWhatIsWrongInARule) {
  struct Case {
    const char* rule;
    const char* problem;
  };
  for (const Case& c :
       {Case{R"({"settings": ["wrapp"], "cases": [{"implied": "so"}]})",
             "#/rules/1/settings/0: unknown setting \"wrapp\"; did you mean \"wrap\"?"},
        Case{R"({"settings": ["wrap"], "cases": [{"require": "wrap > 1", "implied": "so"}]})",
             "#/rules/1/cases: expected the last one to hold always"},
        Case{R"({"settings": ["wrap"], "cases": [{}]})",
             "#/rules/1/cases/0: expected options, lacks or implied, got none of them"},
        Case{R"({"settings": ["wrap"], "cases": [{"options": {"--wrap": "{wraps}"}}]})",
             "unknown name \"wraps\"; did you mean \"wrap\"?"},
        Case{R"({"settings": ["wrap"], "cases": [{"options": {"--wrap": "{wrap"}}]})",
             "expected {NAME}, got a brace without its other"},
        Case{R"({"settings": ["wrap"], "cases": [{"lacks": {"dtype": "no"}}]})",
             "#/rules/1/cases/0/lacks/dtype: expected a setting of this rule"},
        Case{R"({"settings": ["wrap"], "cases": [{"when": {"dtype": ["bf17"]}, "implied": "so"},
                                                 {"implied": "so"}]})",
             "#/rules/1/cases/0/when/dtype/0: expected one of fp32, tf32, fp16, bf16"},
        Case{R"({"settings": ["wrap"], "cases": [{"require": "layer > 1", "implied": "so"},
                                                 {"implied": "so"}]})",
             "#/rules/1/cases/0/require: column 1: unknown name \"layer\"; did you mean "
             "\"layers\"?"}}) {
    EXPECT_THAT(problems_of(file_with(whole_rule() + ", " + c.rule)), HasSubstr(c.problem))
        << c.rule;
  }
}

}  // namespace
}  // namespace cubicbench::search
