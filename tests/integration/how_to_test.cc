// The pages of docs/how-to are run as they stand: every block of sh, in one folder and in order,
// and every line of json is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/process.h"
#include "tests/integration/program_run.h"
#include "tests/program_path.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

namespace fs = std::filesystem;
using support::Process;

struct Block {
  std::string language;
  std::string text;
  std::size_t line = 0;
};

std::vector<Block> blocks_of(const fs::path& page) {
  std::vector<Block> blocks;
  bool inside = false;
  std::size_t number = 0;
  std::istringstream text(read_text(page));
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({line.substr(3), "", number});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  EXPECT_FALSE(inside);
  return blocks;
}

/// What a shell says of the block, run in the folder up to the first command that fails.
Ending shell(const std::string& text, const fs::path& folder) {
  return run_script("set -e\n" + text, folder);
}

/// The lines of a build machine's file that run the program, as steps or in a list.
std::string commands_of(const std::string& yaml) {
  std::string commands;
  std::istringstream text(yaml);
  for (std::string line; std::getline(text, line);) {
    const std::size_t begin = line.find_first_not_of(" -");
    if (begin == std::string::npos) continue;
    if (line.compare(begin, 11, "cubicbench ") == 0) commands += line.substr(begin) + "\n";
  }
  return commands;
}

/// Runs all blocks; what those of sh print.
std::string run_page(const std::string& name, const TemporaryFolder& folder) {
  const fs::path source = CUBICBENCH_SOURCE_DIR;
  std::string printed;
  for (const char* const room : {"clients", "datasets", "scenarios", "scripts"}) {
    fs::create_directory_symlink(source / room, folder / room);
  }
  for (const Block& block : blocks_of(source / "docs/how-to" / name)) {
    SCOPED_TRACE(name + ":" + std::to_string(block.line));
    if (block.language == "json") {
      EXPECT_TRUE(nlohmann::json::accept(block.text));
    } else if (block.language == "sh") {
      const Ending ending = shell(block.text, folder.path());
      EXPECT_EQ(ending.exit_code, 0) << block.text << ending.out << ending.err;
      printed += ending.out;
    } else if (block.language == "yaml") {
      const std::string commands = commands_of(block.text);
      EXPECT_NE(commands, "");
      const Ending ending = shell(commands, folder.path());
      EXPECT_EQ(ending.exit_code, 0) << commands << ending.out << ending.err;
    } else {
      EXPECT_EQ(block.language, "text");
    }
  }
  return printed;
}

TEST(HowTo, ASearcherInAnyLanguage) {
  const TemporaryFolder folder;
  run_page("searcher-in-any-language.md", folder);
  for (const char* const page : {"mine.html", "both.html"}) {
    EXPECT_THAT(read_text(folder / page), testing::HasSubstr("<svg")) << page;
  }
}

TEST(HowTo, ARegressionTest) {
  const TemporaryFolder folder;
  run_page("regression-test.md", folder);
  EXPECT_THAT(read_text(folder / "compare.md"), testing::StartsWith("**Not worse**"));
  EXPECT_THAT(read_text(folder / "compare.xml"), testing::HasSubstr("failures=\"0\""));
}

TEST(HowTo, Agents) {
  const TemporaryFolder folder;
  run_page("agents.md", folder);
  EXPECT_THAT(read_text(folder / "agent.html"), testing::HasSubstr("agent"));
}

TEST(HowTo, ManyMachines) {
  const TemporaryFolder folder;
  run_page("many-machines.md", folder);
  EXPECT_THAT(read_text(folder / "out/gpt3/whole.json"), testing::HasSubstr("\"certified\": true"));
  EXPECT_THAT(read_text(folder / "llama.html"), testing::HasSubstr("<svg"));
}

TEST(HowTo, AProblem) {
  const TemporaryFolder folder;
  run_page("your-own-problem.md", folder);
  EXPECT_THAT(read_text(folder / "mine.html"), testing::HasSubstr("constrained-gp"));
  const auto optimum = nlohmann::json::parse(read_text(folder / "mine-optimum.json"));
  EXPECT_EQ(optimum["configurations"], 1134);  // as the page says
}

TEST(HowTo, ACluster) {
  const TemporaryFolder folder;
  const std::string page = run_page("your-cluster.md", folder);
  EXPECT_THAT(page, testing::HasSubstr("64 x ./h20.json, 8 a node, network ./ours-network.json"));
  EXPECT_THAT(page, testing::HasSubstr("all_reduce among 64 GPUs of ours, 8 domains of 8"));
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

TEST(HowTo, AStack) {
  const TemporaryFolder folder;
  run_page("stack-from-ten-log-lines.md", folder);
  EXPECT_EQ(nlohmann::json::parse(read_text(folder / "ours.json"))["name"], "ours");
}

TEST(HowTo, Logs) {
  const TemporaryFolder folder;
  const std::string page = run_page("from-logs.md", folder);
  EXPECT_THAT(page, testing::HasSubstr("1.036 s a step, 45.31 GiB reserved"));  // as the page says
  EXPECT_EQ(nlohmann::json::parse(read_text(folder / "errors.json"))["rows"].size(), 4U);
  EXPECT_EQ(nlohmann::json::parse(read_text(folder / "ours.json"))["name"], "ours");
}

TEST(HowTo, ATable) {
  const TemporaryFolder folder;
  run_page("your-own-table.md", folder);
  const auto optimum = nlohmann::json::parse(read_text(folder / "table-optimum.json"));
  EXPECT_EQ(optimum["configurations"], 56);  // as the page says
  EXPECT_EQ(optimum["failures"]["oom_late"], 25);
}

TEST(HowTo, APredictor) {
  const TemporaryFolder folder;
  const std::string page = run_page("your-own-predictor.md", folder);
  for (const char* const said : {"tau 0.608", "0.781", "0.938"}) {
    EXPECT_THAT(page, testing::HasSubstr(said));
  }
}

}  // namespace
}  // namespace cubicbench::integration
