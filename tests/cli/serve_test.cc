#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/cli/program.h"
#include "tests/temporary_folder.h"

namespace cubicbench::cli {
namespace {

using testing::HasSubstr;

TEST(Serve, SaysWhatIsWrongBeforeItTakesAFolder) {
  const TemporaryFolder folder;
  const std::string out = " --out " + (folder / "out").string();
  struct Case {
    const char* options;
    const char* message;
  };
  for (const Case& c : {
           Case{"serve", "serve: expected a SCENARIO"},
           Case{"serve tiny-llama llama3-8b", "SCENARIO: expected one without --mcp, got 2"},
           Case{"serve tiny-llama --reveal", "--reveal: expected --mcp with it"},
           Case{"serve tiny-llama --as random",
                "--as: expected a name that no shipped searcher has"},
           Case{"serve tiny-llama --as Mine", "--as: expected a name of lower-case letters"},
           Case{"serve tiny-llama --trials 0", "--trials: expected an integer"},
           Case{"serve tiny-llama --seed x", "--seed: expected an integer"},
           Case{"serve tiny-llama --telling all", "--telling: expected one of"},
           Case{"serve nanotron-3.57b-128gpu --instance 2",
                "--instance: expected 0 with a backend that is no simulator, got 2"},
           Case{"serve tiny-llama --warm-start /nowhere",
                "/nowhere: expected the folder of a search, a table of runs or logs, got none"},
           Case{"search tiny-llama --searcher external:", "--searcher: expected one of"},
           Case{"search tiny-llama --searcher external-sha256:0123456789abcdef",
                "--searcher: expected external:CMD with the command"},
           Case{"search tiny-llama --searcher random --client-timeout 0",
                "--client-timeout: expected an integer"},
       }) {
    SCOPED_TRACE(c.options);
    const Answer answer = ask(c.options + out);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_THAT(answer.err, HasSubstr(c.message));
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  }
}

TEST(Serve, HelpShowsItsOptions) {
  const Answer answer = ask("serve --help");
  EXPECT_EQ(answer.code, 0);
  for (const char* text :
       {"--mcp", "--reveal", "--trials N", "--seed S", "--instance K", "--as NAME", "--telling M",
        "--start S", "--permute", "--warm-start FOLDER", "--salt FILE", "--out DIR", "--resume",
        "--sync"}) {
    EXPECT_THAT(answer.out, HasSubstr(text));
  }
}

}  // namespace
}  // namespace cubicbench::cli
