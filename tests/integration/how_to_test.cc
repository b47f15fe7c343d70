// The pages of docs/how-to are run as they stand: every block of sh and every command of yaml, in
// one folder and in order, but those whose comment names another test or says why they are not run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/code_blocks.h"
#include "tests/integration/program_run.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

namespace fs = std::filesystem;

/// What a shell says of the block, run in the folder up to the first command that fails.
Ending shell(const std::string& text, const fs::path& folder) {
  return run_script("set -e\n" + text, folder);
}

/// Those lines of a block that are run here.
std::string commands_of(const CodeBlock& block) {
  if (!block.note.empty()) return "";
  if (block.language == "sh") return block.text;
  return block.language == "yaml" ? commands_of_yaml(block.text) : "";
}

/// Pages of which something is run, by name.
std::vector<std::string> pages_to_run() {
  std::vector<std::string> names;
  for (const fs::path& page : pages_of(CUBICBENCH_SOURCE_DIR)) {
    if (page.parent_path().filename() != "how-to") continue;
    const std::vector<CodeBlock> blocks = code_blocks(read_text(page));
    const auto is_run = [](const CodeBlock& block) { return !commands_of(block).empty(); };
    if (std::ranges::any_of(blocks, is_run)) names.push_back(page.stem().string());
  }
  return names;
}

/// Runs a page in `folder`; what it prints, which blocks of text quote.
std::string run_page(const std::string& name, const TemporaryFolder& folder) {
  const fs::path source = CUBICBENCH_SOURCE_DIR;
  std::string printed;
  for (const char* const room : {"clients", "datasets", "scenarios", "scripts"}) {
    fs::create_directory_symlink(source / room, folder / room);
  }
  const std::string page = "docs/how-to/" + name + ".md";
  for (const CodeBlock& block : code_blocks(read_text(source / page))) {
    SCOPED_TRACE(page + ":" + std::to_string(block.line));
    if (block.language == "text") {
      EXPECT_THAT(printed, testing::HasSubstr(block.text));
    }
    const std::string commands = commands_of(block);
    if (commands.empty()) continue;
    const Ending ending = shell(commands, folder.path());
    EXPECT_EQ(ending.exit_code, 0) << commands << ending.out << ending.err;
    printed += ending.out;
  }
  return printed;
}

/// Looks at what a page left behind in the folder, and at what it printed.
using Check = void (*)(const TemporaryFolder& folder, const std::string& printed);

void check_searcher_in_any_language(const TemporaryFolder& folder, const std::string& /*printed*/) {
  for (const char* const page : {"mine.html", "both.html"}) {
    EXPECT_THAT(read_text(folder / page), testing::HasSubstr("<svg")) << page;
  }
}

void check_regression_test(const TemporaryFolder& folder, const std::string& /*printed*/) {
  EXPECT_THAT(read_text(folder / "compare.md"), testing::StartsWith("**Not worse**"));
  EXPECT_THAT(read_text(folder / "compare.xml"), testing::HasSubstr("failures=\"0\""));
}

void check_agents(const TemporaryFolder& folder, const std::string& /*printed*/) {
  EXPECT_THAT(read_text(folder / "agent.html"), testing::HasSubstr("agent"));
}

void check_many_machines(const TemporaryFolder& folder, const std::string& /*printed*/) {
  EXPECT_THAT(read_text(folder / "out/gpt3/whole.json"), testing::HasSubstr("\"certified\": true"));
  EXPECT_THAT(read_text(folder / "llama.html"), testing::HasSubstr("<svg"));
}

void check_your_own_problem(const TemporaryFolder& folder, const std::string& /*printed*/) {
  EXPECT_THAT(read_text(folder / "mine.html"), testing::HasSubstr("constrained-gp"));
  const auto optimum = nlohmann::json::parse(read_text(folder / "mine-optimum.json"));
  EXPECT_EQ(optimum["configurations"], 1134);  // as the page says
}

void check_your_cluster(const TemporaryFolder& folder, const std::string& printed) {
  EXPECT_THAT(printed,
              testing::HasSubstr("64 x ./h20.json, 8 a node, network ./ours-network.json"));
  EXPECT_THAT(printed, testing::HasSubstr("all_reduce among 64 GPUs of ours, 8 domains of 8"));
  EXPECT_EQ(nlohmann::json::parse(read_text(folder / "ours.json"))["name"], "ours");
  // The ten best were launched, each in a line after the header, and told to the next search.
  std::int64_t lines = 0;
  for (const auto& journal : fs::directory_iterator(folder / "out/real/journals")) {
    lines += std::ranges::count(read_text(journal.path()), '\n');
  }
  EXPECT_EQ(lines, 1 + 10);
  const auto plan = nlohmann::json::parse(read_text(folder / "out/real-2/plan.json"));
  EXPECT_EQ(plan["warm_start"]["from"], (nlohmann::json{"out/real", "logs/"}));
  EXPECT_EQ(plan["warm_start"]["problems"][0]["launches"].size(), 10U + 2U);
}

void check_stack_from_ten_log_lines(const TemporaryFolder& folder, const std::string& /*printed*/) {
  EXPECT_EQ(nlohmann::json::parse(read_text(folder / "ours.json"))["name"], "ours");
}

void check_from_logs(const TemporaryFolder& folder, const std::string& printed) {
  EXPECT_THAT(printed,
              testing::HasSubstr("1.036 s a step, 45.31 GiB reserved"));  // as the page says
  EXPECT_EQ(nlohmann::json::parse(read_text(folder / "errors.json"))["rows"].size(), 4U);
  EXPECT_EQ(nlohmann::json::parse(read_text(folder / "ours.json"))["name"], "ours");
}

void check_your_own_table(const TemporaryFolder& folder, const std::string& /*printed*/) {
  const auto optimum = nlohmann::json::parse(read_text(folder / "table-optimum.json"));
  EXPECT_EQ(optimum["configurations"], 56);  // as the page says
  EXPECT_EQ(optimum["failures"]["oom_late"], 25);
}

void check_your_own_predictor(const TemporaryFolder& /*folder*/, const std::string& printed) {
  for (const char* const said : {"tau 0.608", "0.781", "0.937"}) {
    EXPECT_THAT(printed, testing::HasSubstr(said));
  }
}

void check_energy_and_cost(const TemporaryFolder& folder, const std::string& /*printed*/) {
  EXPECT_THAT(read_text(folder / "no-price.txt"),
              testing::HasSubstr("/cluster has no usd_per_gpu_hour"));
}

const std::map<std::string, Check> checks{
    {"searcher-in-any-language", &check_searcher_in_any_language},
    {"regression-test", &check_regression_test},
    {"agents", &check_agents},
    {"many-machines", &check_many_machines},
    {"your-own-problem", &check_your_own_problem},
    {"your-cluster", &check_your_cluster},
    {"stack-from-ten-log-lines", &check_stack_from_ten_log_lines},
    {"from-logs", &check_from_logs},
    {"your-own-table", &check_your_own_table},
    {"energy-and-cost", &check_energy_and_cost},
    {"your-own-predictor", &check_your_own_predictor}};

class HowTo : public testing::TestWithParam<std::string> {};

TEST_P(HowTo, RunsAsItStands) {
  const TemporaryFolder folder;
  const std::string printed = run_page(GetParam(), folder);
  ASSERT_TRUE(checks.contains(GetParam())) << "say here what the page leaves behind";
  checks.at(GetParam())(folder, printed);
}

INSTANTIATE_TEST_SUITE_P(Pages, HowTo, testing::ValuesIn(pages_to_run()),
                         [](const testing::TestParamInfo<std::string>& page) {
                           std::string name = page.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace cubicbench::integration
