#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

Json json_of(const std::string& options) {
  const Answer answer = ask("collective --json " + options);
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  return Json::parse(answer.out);
}

TEST(Collective, OneSizeHasTheKeysOfTheContract) {
  const Json json = json_of("--op all_reduce --size 1GiB --cluster nvlink4-ndr --ranks 8");
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"schema", "version", "op", "size_bytes", "ranks",
                                            "time_us", "algbw_gbps", "busbw_gbps", "algorithm",
                                            "protocol", "bottleneck"}));
  EXPECT_EQ(json["schema"], "cubicbench.collective/1");
  EXPECT_EQ(json["op"], "all_reduce");
  EXPECT_EQ(json["size_bytes"], 1 << 30);
  EXPECT_EQ(json["ranks"], 8);
  const double seconds = json["time_us"].get<double>() * 1e-6;
  EXPECT_NEAR(json["algbw_gbps"], (1 << 30) / seconds / 1e9, 1e-9);
  EXPECT_NEAR(json["busbw_gbps"], json["algbw_gbps"].get<double>() * 2.0 * 7.0 / 8.0, 1e-9);
  EXPECT_EQ(json["algorithm"], "nvls");
  EXPECT_NEAR(json["busbw_gbps"], 467.0, 23.0);  // two published nodes, 5 % either way
  EXPECT_EQ(json["protocol"], "Simple");
  EXPECT_EQ(json["bottleneck"], "domain");
}

TEST(Collective, ARangeHasAnAnswerForEachSize) {
  const Json json = json_of("--op sendrecv --size 1K:1G:32 --cluster nvlink5-ndr --ranks 16");
  EXPECT_EQ(json["op"], "sendrecv");
  ASSERT_EQ(json["results"].size(), 5U);  // 2^10, 2^15, 2^20, 2^25, 2^30
  EXPECT_EQ(json["results"][4]["size_bytes"], 1 << 30);
  double before = 0.0;
  for (const Json& result : json["results"]) {
    EXPECT_GT(result["time_us"].get<double>(), before);
    before = result["time_us"].get<double>();
  }
}

TEST(Collective, TextHasTheColumnsOfNcclTests) {
  const Answer answer =
      ask("collective --op all_gather --size 32M --cluster nvlink4-ndr --ranks 8");
  EXPECT_EQ(answer.code, 0);
  std::istringstream lines(answer.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "# all_gather among 8 GPUs of nvlink4-ndr, 1 domain of 8");
  std::vector<std::vector<std::string>> rows;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    rows.emplace_back();
    for (std::string word; words >> word;) rows.back().push_back(word);
  }
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"#", "count", "time", "algbw", "busbw"}));
  EXPECT_EQ(rows[1], (std::vector<std::string>{"#", "size", "(B)", "(elements)", "type", "redop",
                                               "root", "(us)", "(GB/s)", "(GB/s)", "algorithm",
                                               "protocol", "bottleneck"}));
  ASSERT_EQ(rows[2].size(), 11U);
  // nccl-tests counts the elements of one rank's part: 32 MiB / 4 B / 8.
  EXPECT_EQ(std::vector<std::string>(rows[2].begin(), rows[2].begin() + 5),
            (std::vector<std::string>{"33554432", "1048576", "float", "none", "-1"}));
  EXPECT_EQ(rows[2][8], "ring");
}

double time_of(const std::string& options) { return json_of(options)["time_us"]; }

TEST(Collective, GroupsAtOnceInOneDomainDoNotShare) {
  for (const char* op : {"all_gather", "all_reduce", "alltoall"}) {
    const std::string common = std::string("--size 64M --cluster nvl72-ndr --ranks 8 --op ") + op;
    EXPECT_NEAR(time_of(common + " --groups 9") / time_of(common), 1.0, 0.03) << op;
  }
}

TEST(Collective, GroupsAcrossAnOversubscribedTierShareIt) {
  const std::string common =
      "--op all_gather --size 1G --cluster llama3-roce --ranks 4096 --placement ";
  EXPECT_GT(time_of(common + "scattered --groups 4"), 1.5 * time_of(common + "packed"));
}

TEST(Collective, AScenarioIsACluster) {
  const std::string common = "--op all_reduce --size 256M --ranks 64 --cluster ";
  EXPECT_EQ(time_of(common + "llama3-405b"), time_of(common + "llama3-roce"));
}

TEST(Collective, AnAlgorithmCanBeAskedFor) {
  const std::string common = "--op all_reduce --size 1G --cluster nvlink4-ndr --ranks 8";
  const Json ring = json_of(common + " --algorithm ring");
  EXPECT_EQ(ring["algorithm"], "ring");
  EXPECT_GT(ring["time_us"].get<double>(), time_of(common));
  const Answer refused =
      ask("collective --op all_gather --size 1G --cluster nvlink3-hdr --ranks 8 --algorithm nvls");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--algorithm: expected one that this group can run (ring"));
}

TEST(Collective, TheEventEngineAddsWhatItPlayed) {
  const std::string common =
      "--op all_reduce --size 1G --cluster llama3-roce --ranks 16384 --engine event";
  const Json json = json_of(common);
  EXPECT_EQ(json.back(), (Json{{"events", 2}, {"ranks", 16384}, {"flows", 98272}}));
  EXPECT_EQ(json["time_us"],
            time_of("--op all_reduce --size 1G --cluster llama3-roce --ranks 16384"));
  EXPECT_EQ(json["time_us"], time_of(common + " --contention off"));
  const Answer text = ask("collective " + common);
  EXPECT_THAT(text.out, HasSubstr("# event engine: 2 events, 16,384 ranks, 98,272 flows\n# "));
  EXPECT_THAT(ask("collective --op all_gather --size 1K:1G:1024 --cluster nvlink4-ndr --ranks 16 "
                  "--engine event")
                  .out,
              HasSubstr("# event engine: 6 events, 16 ranks, 30 flows of the last size\n"));
}

TEST(Collective, TheEventEngineShowsWhatStaticSharesDoNot) {
  // Trees of eight groups leave racks with a third of their bandwidth more often than rings do.
  const std::string common =
      "--op all_reduce --size 1G --cluster leaf-spine-3to1 --ranks 512 --per-domain 1 --groups 8";
  const double shared = time_of(common + " --engine event") / time_of(common);
  EXPECT_GT(shared, 1.03);
  EXPECT_LT(shared, 1.2);
  EXPECT_EQ(time_of(common + " --engine event --contention off"), time_of(common));
}

TEST(Collective, BadInputExitsWith2) {
  struct Case {
    const char* options;
    const char* message;
  };
  for (const Case& c : {
           Case{"",
                "--op: expected one of all_gather, reduce_scatter, all_reduce, alltoall, "
                "broadcast, sendrecv, got nothing\n"
                "--size: expected a size such as 8M, got nothing\n"
                "--cluster: expected a network or a scenario, got nothing\n"
                "--ranks: expected N, got nothing\n"},
           Case{"--op all_redce --size 1M --cluster nvlink4-ndr --ranks 8",
                "--op: expected one of all_gather, reduce_scatter, all_reduce, alltoall, "
                "broadcast, sendrecv, got \"all_redce\"; did you mean \"all_reduce\"?\n"},
           Case{"--op all_reduce --size 1Q --cluster nvlink4-ndr --ranks 8",
                "--size: expected a size such as 8M or 1GiB, up to 2^50 bytes, or a range such as "
                "1K:8G or 1K:8G:4, got \"1Q\"\n"},
           Case{"--op all_reduce --size 1M --cluster nvlink4 --ranks 8",
                "--cluster: unknown network or scenario \"nvlink4\"; did you mean "
                "\"nvlink4-efa\"?\n"},
           Case{"--op all_reduce --size 1M --cluster nvlink4-ndr --ranks 1",
                "--ranks: expected an integer in [2, 131072], got \"1\"\n"},
           Case{"--op all_reduce --size 1M --cluster nvlink4-ndr --ranks 8 --per-domain 9",
                "--per-domain: expected at most 8, got 9\n"},
           Case{"--op all_reduce --size 1M --cluster nvlink4-ndr --ranks 9",
                "--ranks: expected a multiple of the 8 in each domain (--per-domain), such as 8 or "
                "16, got 9\n"},
           Case{"--op all_reduce --size 1M --cluster nvlink4-ndr --ranks 64 --per-domain 3",
                "--ranks: expected a multiple of the 3 in each domain (--per-domain), such as 63 "
                "or 66, got 64\n"},
           Case{"--op all_reduce --size 1M --cluster nvlink4-ndr --ranks 8 --algorithm rng",
                "--algorithm: expected one of ring, tree, nvls, nvls_tree, in_network, pat, "
                "recursive_doubling, hierarchical, direct, got \"rng\"; did you mean \"ring\"?\n"},
           Case{"--op all_reduce --size 1M --cluster nvlink4-ndr --ranks 8 --engine evnt",
                "--engine: expected analytical or event, got \"evnt\"; did you mean \"event\"?\n"},
           Case{"--op all_reduce --size 1M --cluster nvlink4-ndr --ranks 8 --contention off",
                "--contention: expected with --engine event\n"},
           Case{"--op all_reduce --size 1M --cluster nvlink4-ndr --ranks 8 --engine event --fold "
                "off --jitter 3",
                "--fold: expected with simulate: it is of a whole step\n"
                "--jitter: expected with simulate: it is of a whole step\n"},
           Case{"--op all_reduce --size 1M --cluster nvlink4-ndr --ranks 9 --engine event",
                "--ranks: expected a multiple of the 8 in each domain (--per-domain), such as 8 or "
                "16, got 9\n"},
           Case{"--op all_reduce --size 1M --cluster nvlink4-ndr --ranks 131072 --per-domain 1 "
                "--engine event",
                "--cluster: expected nodes of at most 131072 GPUs for the groups with --engine "
                "event, got 1048576\n"},
           Case{"--op all_reduce --size 1M --cluster ./no-such.json --ranks 8",
                "./no-such.json: expected a file, got none\n"},
           Case{"--op all_reduce --size 1M --cluster tiny-gpt --ranks 4096",
                "--ranks: expected at most 8 GPUs in all, got 4096\n"},
       }) {
    SCOPED_TRACE(c.options);
    const Answer answer = ask(std::string("collective ") + c.options);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err, c.message);
    EXPECT_EQ(answer.out, "");
  }
}

}  // namespace
}  // namespace cubicbench::cli
