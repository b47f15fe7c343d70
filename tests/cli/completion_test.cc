#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/completion/offered.h"
#include "support/files.h"
#include "tests/cli/program.h"
#include "tests/temporary_folder.h"

namespace cubicbench::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using Words = std::vector<std::string>;

constexpr const char* shells[] = {"bash", "zsh", "fish"};

const Option& option_of(const std::vector<Command>& commands, const std::string& command,
                        const std::string& name) {
  const auto found = std::ranges::find(
      commands, command, [](const Command& one) { return std::string(one.words.name); });
  const std::vector<Option>& all = found->options.all();
  return *std::ranges::find(all, name, &Option::name);
}

Offered offered(const std::string& command, const std::string& option) {
  return offered_for(option_of(all_commands(), command, option));
}

TEST(Completion, IsWrittenForEveryCommandAndOptionThatHelpShows) {
  for (const char* shell : shells) {
    const Answer answer = ask(std::string("completion ") + shell);
    EXPECT_EQ(answer.code, 0);
    EXPECT_EQ(answer.err, "");
    for (const Command& command : all_commands()) {
      SCOPED_TRACE(std::string(shell) + " " + std::string(command.words.name));
      EXPECT_THAT(answer.out, HasSubstr(std::string(command.words.name)));
      for (const Option& option : command.options.all()) {
        if (option.is_hidden || is_argument(option) || option.form == Option::Form::help) continue;
        EXPECT_THAT(answer.out, HasSubstr(option.name.substr(2)));
      }
    }
  }
}

TEST(Completion, OffersWhatReadersAcceptAndWhatShips) {
  EXPECT_THAT(offered("simulate", "--engine").words, ElementsAre("analytical", "event"));
  EXPECT_THAT(offered("simulate", "--fold").words, ElementsAre("on", "off"));
  EXPECT_THAT(offered("simulate", "--set").words, Contains("tensor_parallel="));
  EXPECT_THAT(offered("search", "--searcher").words, IsSupersetOf({"random", "cubicml"}));
  EXPECT_THAT(offered("search", "SCENARIO").words, Contains("llama3-405b"));
  EXPECT_THAT(offered("predict", "SCENARIO|DATASET").words,
              IsSupersetOf({"llama3-405b", "hf_ultrascale_nanotron_sweep"}));
  EXPECT_THAT(offered("family", "FAMILY").words, Not(testing::IsEmpty()));
  EXPECT_THAT(offered("launch", "--for").words, Contains("torchtitan@0.2.2"));
  EXPECT_THAT(offered("dataset", "VERB").words,
              ElementsAre("generate", "describe", "split", "import"));
  EXPECT_THAT(offered("completion", "SHELL").words, ElementsAre("bash", "zsh", "fish"));
}

TEST(Completion, OffersFilesAndFoldersByThePlaceholder) {
  EXPECT_TRUE(offered("simulate", "--trace").files);
  EXPECT_TRUE(offered("search", "--out").folders);
  EXPECT_TRUE(offered("simulate", "SCENARIO").files);
  EXPECT_FALSE(offered("search", "--trials").files);
  EXPECT_THAT(offered("search", "--trials").words, testing::IsEmpty());
  EXPECT_TRUE(offered("dataset", "--scenario").files);
}

TEST(Completion, RefusesOtherShells) {
  const Answer answer = ask("completion tcsh");
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.err, "SHELL: expected one of bash, zsh, fish, got \"tcsh\"\n");
  EXPECT_EQ(ask("completion").code, 2);
}

TEST(Completion, AsJsonHoldsTheScript) {
  const auto json = nlohmann::json::parse(ask("completion fish --json").out);
  EXPECT_EQ(json.at("schema"), "cubicbench.completion/1");
  EXPECT_EQ(json.at("shell"), "fish");
  EXPECT_EQ(json.at("script"), ask("completion fish").out);
}

/// What bash offers at the end of the words of `line`, the last of which may be "".
class BashCompletion : public testing::Test {
 protected:
  Words offers(const std::string& words) const {
    const std::string asked = (folder_ / "asked.bash").string();
    support::write_file_atomic(asked, script_ + "compopt() { :; }\nCOMP_WORDS=(cubicbench " +
                                          words +
                                          ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_cubicbench\n"
                                          "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
    FILE* const bash = ::popen(("bash " + asked).c_str(), "r");
    std::string said;
    for (int sign = std::fgetc(bash); sign != EOF; sign = std::fgetc(bash)) {
      said += static_cast<char>(sign);
    }
    ::pclose(bash);
    std::istringstream lines(said);
    Words all;
    for (std::string line; std::getline(lines, line);) all.push_back(line);
    return all;
  }

 private:
  TemporaryFolder folder_;
  std::string script_ = ask("completion bash").out;
};

TEST_F(BashCompletion, CompletesCommandsOptionsAndValues) {
  EXPECT_THAT(offers("simu"), ElementsAre("simulate"));
  EXPECT_THAT(offers("--v"), ElementsAre("--version"));
  EXPECT_THAT(offers("simulate --eng"), ElementsAre("--engine"));
  EXPECT_THAT(offers("simulate --engine ''"), ElementsAre("analytical", "event"));
  EXPECT_THAT(offers("simulate --engine = e"), ElementsAre("event"));
  EXPECT_THAT(offers("simulate llama3-405b --set tensor_par"), ElementsAre("tensor_parallel="));
  EXPECT_THAT(offers("search tiny-llama --searcher random,evol"), ElementsAre("random,evolution"));
}

TEST_F(BashCompletion, CountsArguments) {
  EXPECT_THAT(offers("list para"), ElementsAre("parameters"));
  EXPECT_THAT(offers("list parameters --quiet llama3-405b-"), ElementsAre("llama3-405b-long"));
  EXPECT_THAT(offers("search tiny-llama --seeds 3 llama3-405b-"), ElementsAre("llama3-405b-long"));
  EXPECT_THAT(offers("search --seeds ''"), testing::Each(""));
}

}  // namespace
}  // namespace cubicbench::cli
