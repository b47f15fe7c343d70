#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "cli/commands.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using testing::HasSubstr;

TEST(Help, NamesEverySubcommandAndTheExitCodes) {
  const Answer answer = ask("--help");
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  for (const char* text : {"Usage: cubicbench",
                           "list",
                           "simulate",
                           "explain",
                           "goodput",
                           "post-training",
                           "sweep",
                           "timeline",
                           "collective",
                           "launch",
                           "search",
                           "serve",
                           "merge",
                           "compare",
                           "leaderboard",
                           "verify",
                           "export",
                           "enumerate",
                           "landscape",
                           "family",
                           "dataset",
                           "predict",
                           "validate",
                           "calibrate",
                           "report",
                           "paper",
                           "lesson",
                           "glossary",
                           "completion",
                           "--version",
                           "Exit codes"}) {
    EXPECT_THAT(answer.out, HasSubstr(text));
  }
}

TEST(Help, EverySubcommandHasTheGlobalOptions) {
  for (const char* name :
       {"list",        "simulate", "explain",  "goodput",       "sweep",     "timeline",
        "collective",  "launch",   "search",   "serve",         "merge",     "compare",
        "leaderboard", "verify",   "export",   "post-training", "enumerate", "landscape",
        "family",      "dataset",  "predict",  "validate",      "calibrate", "report",
        "paper",       "lesson",   "glossary", "completion"}) {
    SCOPED_TRACE(name);
    const Answer answer = ask(std::string(name) + " --help");
    EXPECT_EQ(answer.code, 0);
    EXPECT_EQ(answer.err, "");
    for (const char* text : {"--help", "--json", "--quiet", "--threads N", name}) {
      EXPECT_THAT(answer.out, HasSubstr(text));
    }
  }
}

TEST(Help, OfSimulateShowsItsOptions) {
  const Answer answer = ask("simulate -h");
  for (const char* text : {"SCENARIO", "--set NAME=VALUE", "--instance K", "--engine ENGINE",
                           "--contention on|off", "--fold on|off", "--jitter off|SEED",
                           "--conditions FILE", "--trace FILE", "--trace-ranks LIST"}) {
    EXPECT_THAT(answer.out, HasSubstr(text));
  }
}

TEST(Help, OfLaunchNamesProgramsAndOptions) {
  const Answer answer = ask("launch -h");
  for (const char* text :
       {"SCENARIO", "--set NAME=VALUE", "--for PROGRAM@VERSION", "--model NAME", "--out FILE.py",
        "--dry-run", "torchtitan@0.2.2", "torchtitan@main", "megatron-lm@0.19",
        "megatron-bridge@0.6.0", "torchrun-fsdp2@2", "torchrec@1.3.0"}) {
    EXPECT_THAT(answer.out, HasSubstr(text));
  }
}

TEST(Help, OfSweepAndTimelineShowTheirOptions) {
  const Answer sweep = ask("sweep -h");
  for (const char* text : {"SCENARIO", "--set NAME=VALUES", "--instance K", "--salt FILE",
                           "--engine ENGINE", "--table FILE.csv", "--out DIR", "--markdown"}) {
    EXPECT_THAT(sweep.out, HasSubstr(text));
  }
  const Answer timeline = ask("timeline -h");
  for (const char* text : {"SCENARIO", "--set NAME=VALUE", "--ranks LIST", "--kernels",
                           "--contention on|off", "--conditions FILE", "--out FILE.svg"}) {
    EXPECT_THAT(timeline.out, HasSubstr(text));
  }
  EXPECT_THAT(sweep.out, testing::Not(HasSubstr("--trace")));
}

TEST(Help, OfSearchShowsItsOptions) {
  const Answer answer = ask("search --help");
  for (const char* text :
       {"SCENARIO", "--searcher NAME[,..]", "--trials N", "--seeds K", "--instances K", "--slots W",
        "--telling M", "--backend B", "--plan FILE", "--out DIR", "--resume", "--sync", "--permute",
        "--shard I/N"}) {
    EXPECT_THAT(answer.out, HasSubstr(text));
  }
}

TEST(Help, OfMergeShowsItsOptions) {
  const Answer answer = ask("merge --help");
  for (const char* text : {"INPUT", "--out OUT"}) EXPECT_THAT(answer.out, HasSubstr(text));
}

TEST(Help, OfPredictShowsItsOptions) {
  const Answer answer = ask("predict --help");
  for (const char* text :
       {"SCENARIO|DATASET", "--predictor NAME[,..]", "--split S", "--train N[,N..]", "--repeats K",
        "--features F", "--rows N", "--seed S", "--out DIR"}) {
    EXPECT_THAT(answer.out, HasSubstr(text));
  }
}

TEST(Help, OfLandscapeShowsItsOptions) {
  const Answer answer = ask("landscape --help");
  for (const char* text : {"SCENARIO", "--rows N", "--instance K", "--set NAME=VALUE",
                           "--require EXPR", "--markdown"}) {
    EXPECT_THAT(answer.out, HasSubstr(text));
  }
}

TEST(Help, OfEnumerateShowsItsOptions) {
  const Answer answer = ask("enumerate --help");
  for (const char* text :
       {"SCENARIO", "--instance K", "--set NAME=VALUE", "--out FILE.json", "--table FILE.csv",
        "--best-of N", "--shard I/N", "--all", "--sketch", "--optimum-only", "--limit N"}) {
    EXPECT_THAT(answer.out, HasSubstr(text));
  }
}

TEST(Help, FitsATerminal) {
  for (const char* line :
       {"--help", "list --help", "simulate --help", "sweep --help", "timeline --help",
        "search --help", "dataset --help", "predict --help", "landscape --help", "enumerate --help",
        "merge --help", "validate --help", "paper --help", "collective --help"}) {
    SCOPED_TRACE(line);
    std::istringstream lines(ask(line).out);
    for (std::string text; std::getline(lines, text);) {
      EXPECT_LE(text.size(), 80U) << text;
    }
  }
}

TEST(Help, IsAskedForInEveryWay) {
  const std::string all = ask("--help").out;
  EXPECT_EQ(ask("help").out, all);
  EXPECT_EQ(ask("-h").out, all);
  const std::string simulate = ask("simulate --help").out;
  EXPECT_EQ(ask("help simulate").out, simulate);
  EXPECT_EQ(ask("simulate tiny-llama -h").out, simulate);
}

TEST(Help, EndsWithExamplesThatAreRight) {
  std::set<std::string> commands;
  for (const Command& command : all_commands()) {
    const std::string name(command.words.name);
    SCOPED_TRACE(name);
    EXPECT_THAT(ask(name + " --help").out,
                HasSubstr("\nExamples:\n  cubicbench " + name + (name == "paper" ? "" : " ")));
    commands.insert(name);
  }
  for (const Command& command : all_commands()) {
    std::istringstream lines{std::string(command.words.next)};
    std::string program, next;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream(line) >> program >> next;
      EXPECT_EQ(program, "cubicbench");
      EXPECT_TRUE(commands.contains(next)) << line;
    }
  }
}

TEST(Help, WithoutArgumentsItSaysWhatCanBeDone) {
  const Answer answer = ask("");
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_LE(std::ranges::count(answer.out, '\n'), 8);
  EXPECT_THAT(answer.out, HasSubstr("cubicbench simulate llama3-405b "));
  EXPECT_THAT(answer.out, HasSubstr("cubicbench --help "));
}

TEST(Help, VersionIsOneLine) {
  const Answer answer = ask("--version");
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.out, "cubicbench " CUBICBENCH_VERSION "\n");
}

}  // namespace
}  // namespace cubicbench::cli
