// What somebody else put in our way: each is refused with a message, and nothing dies of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/integration/program_run.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> search_with(const std::string& answer, const std::string& out) {
  return {"search",
          "tiny-llama",
          "--searcher",
          "random",
          "--trials",
          "6",
          "--out",
          out,
          "--quiet",
          "--backend",
          "command:echo '" + answer + "'"};
}

TEST(HostileInput, AValueThatNobodyMeasuresIsAFailedLaunch) {
  const TemporaryFolder folder;
  for (const char* value : {"1e308", "-1e308", "5e-324"}) {
    const std::string out = folder / value;
    const std::string answer = std::string(R"({"state":"complete","value":)") + value + "}";
    ASSERT_EQ(run_program(search_with(answer, out)).exit_code, 0) << value;
    EXPECT_THAT(read_text(out + "/journals/tiny-llama.0.random.0.jsonl"),
                Not(HasSubstr(R"("state":"complete")")));
    EXPECT_EQ(run_program({"report", out, "--out", folder / "page.html"}).exit_code, 0) << value;
  }
}

TEST(HostileInput, AJournalOfSuchValuesIsRefusedWithItsPlace) {
  const TemporaryFolder folder;
  const std::string out = folder / "search";
  ASSERT_EQ(run_program({"search", "tiny-gpt", "--searcher", "coordinate", "--trials", "3", "--out",
                         out, "--quiet"})
                .exit_code,
            0);
  const std::string journal = out + "/journals/tiny-gpt.0.coordinate.0.jsonl";
  const std::string text = read_text(journal);
  const auto refused = [&](const std::string& key, const std::string& value) {
    std::string changed = text;
    const std::size_t at = changed.find("\"" + key + "\":", changed.find('\n')) + key.size() + 3;
    changed.replace(at, changed.find_first_of(",}", at) - at, value);
    write_text(journal, changed);
    const Ending ending = run_program({"report", out, "--out", folder / "page.html"});
    EXPECT_EQ(ending.exit_code, 2) << ending.err;
    return ending.err;
  };
  EXPECT_THAT(refused("round", "9223372036854775807"),
              HasSubstr(":2#/round: expected an integer in [0, 1000000000], got 92233"));
  EXPECT_THAT(
      refused("cost_gpu_hours", "1e308"),
      HasSubstr("#/cost_gpu_hours: expected 0 or a magnitude from 1e-100 to 1e+100, got 1e+308"));
}

TEST(HostileInput, APipeIsNoScenario) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const Ending ending = run_program({"simulate", folder / "pipe"});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err, HasSubstr("pipe: expected a file, got a pipe"));
}

TEST(HostileInput, AFileThatMayNotGrowIsExitCode3) {
  const TemporaryFolder folder;
  ProgramRun run({"search", "tiny-llama", "--searcher", "random", "--trials", "200", "--out",
                  folder / "search", "--quiet"},
                 {.file_bytes = 4096});
  const Ending ending = run.wait();
  EXPECT_EQ(ending.exit_code, 3);
  EXPECT_THAT(ending.err, HasSubstr("File too large"));
}

TEST(HostileInput, APathThatIsNoTextStaysJson) {
  const TemporaryFolder folder;
  const std::string table = (folder / "t\xff.csv").string();
  write_text(table, "x\n1\n");
  const Ending refused = run_program({"validate", table, "--json"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("/t\\xff.csv"));
  const std::string out = folder / "s\xff";
  const Ending searched = run_program(
      {"search", "tiny-gpt", "--searcher", "random", "--trials", "3", "--out", out, "--json"});
  EXPECT_EQ(searched.exit_code, 0) << searched.err;
  EXPECT_NO_THROW(nlohmann::json::parse(searched.out));
}

TEST(HostileInput, NothingThatATerminalObeysIsPrinted) {
  const TemporaryFolder folder;
  const std::string scenario = folder / "a\u009b31m\u202e.json";
  write_text(scenario, "{\"schema\": \"cubicbench.scenario/1\", \"na\u202eme\u009b\": 1}");
  const Ending ending = run_program({"simulate", scenario});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err, HasSubstr("\\u009b31m\\u202e.json"));
  EXPECT_THAT(ending.err, Not(HasSubstr("\u009b")));
  EXPECT_THAT(ending.err, Not(HasSubstr("\u202e")));
}

}  // namespace
}  // namespace cubicbench::integration
