#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

TEST(BadCommandLine, ExitsWith2AndOneMessage) {
  struct Case {
    const char* line;
    const char* message;
  };
  constexpr const char* shelves =
      "WHAT: expected one of scenarios, families, suites, searchers, predictors, devices, "
      "networks, "
      "stacks, datasets, "
      "settings, parameters";
  const std::string shelf = shelves;
  const std::string planets = shelf + ", got \"planets\"\n";
  const std::string device = shelf + ", got \"device\"; did you mean \"devices\"?\n";
  for (const Case& c : {
           Case{"simualte x", "simualte: unknown subcommand; did you mean \"simulate\"?\n"},
           Case{"--jsn list", "--jsn: unknown option; see cubicbench --help\n"},
           Case{"--versoin", "--versoin: unknown option; did you mean \"--version\"?\n"},
           Case{"list --jsno", "--jsno: unknown option; did you mean \"--json\"?\n"},
           Case{"list --quite", "--quite: unknown option; did you mean \"--quiet\"?\n"},
           Case{"list --thread=3", "--thread: unknown option; did you mean \"--threads\"?\n"},
           Case{"list -x", "-x: unknown option; see cubicbench list --help\n"},
           Case{"list --json=yes", "--json: takes no value\n"},
           Case{"list planets", planets.c_str()},
           Case{"list device", device.c_str()},
           Case{"list devices networks", "networks: expected nothing after \"devices\"\n"},
           Case{"list --threads", "--threads: expected N, got nothing\n"},
           Case{"list --threads 0", "--threads: expected an integer in [1, 4096], got \"0\"\n"},
           Case{"list --threads -3", "--threads: expected an integer in [1, 4096], got \"-3\"\n"},
           Case{"list --threads 2.5", "--threads: expected an integer in [1, 4096], got \"2.5\"\n"},
           Case{"list --threads 99999999999999999999",
                "--threads: expected an integer in [1, 4096], got \"99999999999999999999\"\n"},
           Case{"list --threads 2 --threads 3", "--threads: given 2 times\n"},
           Case{"simulate", "simulate: expected a SCENARIO; see cubicbench simulate --help\n"},
           Case{"--json list", "--json: expected after the subcommand\n"},
           Case{"list -- devices networks", "networks: expected nothing after \"devices\"\n"},
           Case{"simulate llama3-405b gpt3-175b", "gpt3-175b: unexpected argument\n"},
           Case{"simulate llama3-405b --st a=1", "--st: unknown option; did you mean \"--set\"?\n"},
           Case{"simulate llama3-405b --set", "--set: expected NAME=VALUE, got nothing\n"},
           Case{"simulate llama3-405b --optoin --set",
                "--optoin: unknown option; see cubicbench simulate --help\n"},
           Case{"simulate llama3-405b --instance one",
                "--instance: expected an integer in [0, 2147483647], got \"one\"\n"},
       }) {
    SCOPED_TRACE(c.line);
    const Answer answer = ask(c.line);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err, c.message);
    EXPECT_EQ(answer.out, "");
  }
}

TEST(BadCommandLine, UnknownNamesAndSettingsExitWith2) {
  for (const char* line :
       {"simulate no-such-scenario", "simulate ./no/such/file.json", "simulate /",
        "simulate llama3-405b --set tensor_paralel=4", "simulate llama3-405b --set x",
        "simulate llama3-405b --set tensor_parallel=eight",
        "simulate llama3-405b --set cluster.gpus=many --json"}) {
    SCOPED_TRACE(line);
    const Answer answer = ask(line);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_FALSE(answer.err.empty());
    EXPECT_EQ(answer.err.back(), '\n');
  }
}

TEST(BadCommandLine, AnEmptyArgumentIsShownAsOne) {
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(run({""}, out, err), 2);
  EXPECT_EQ(err.str(), "\"\": unknown subcommand; see cubicbench --help\n");
}

TEST(Output, ThatCannotBeWrittenExitsWith3) {
  std::ostream nowhere(nullptr);  // fails on every write
  std::ostringstream err;
  EXPECT_EQ(run({"list", "searchers"}, nowhere, err), 3);
  EXPECT_EQ(err.str(), "standard output: cannot be written\n");
}

}  // namespace
}  // namespace cubicbench::cli
