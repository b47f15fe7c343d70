// The main command: from nothing to a page, again, interrupted, and on a folder of another version.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "scenarios/readers/campaign_reader.h"
#include "tests/integration/program_run.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::string made_otherwise =
    "made by an older campaign, another version or with other options; remove ";

/// As small as it may be: under the thread sanitizer everything takes twenty times as long.
std::vector<std::string> paper(const std::string& out, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"paper",     "--trials", "12",    "--seeds", "1",
                                 "--repeats", "1",        "--out", out};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(Paper, LeavesAPageWithItsFiguresAndTheStudiesBehindThem) {
  const TemporaryFolder folder;
  const std::string out = folder / "paper";
  const Ending ending = run_program(paper(out));
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_EQ(ending.err, "");
  EXPECT_THAT(ending.out, EndsWith("Open " + out + "/index.html in a browser.\n"));
  const auto content = files_below(out);
  ASSERT_TRUE(content.contains("index.html"));
  EXPECT_TRUE(content.contains("search/plan.json"));
  EXPECT_THAT(content.at("index.html"), HasSubstr("<svg"));
  for (const std::string figure :
       {"fig2a", "fig2b", "fig3-random", "fig3-time", "fig3-scale", "fig4-jobs", "fig4-training",
        "fig3-random-real", "fig3-scale-real", "fig4-training-real"}) {
    for (const std::string extension : {".svg", ".csv"}) {
      EXPECT_TRUE(content.contains("index." + figure + extension)) << figure;
    }
  }
  // Nothing that we write knows where it lies.
  for (const auto& [path, text] : content) {
    EXPECT_EQ(text.find(folder.path().string()), std::string::npos) << path;
  }
}

TEST(Paper, AgainOrInterruptedItLeavesTheSameBytes) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_program(paper(folder / "whole")).exit_code, 0);
  const auto whole = files_below(folder / "whole");
  EXPECT_EQ(run_program(paper(folder / "whole", {"--threads", "1"})).exit_code, 0);
  EXPECT_EQ(files_below(folder / "whole"), whole);
  for (const std::uint64_t moment : {1, 12'000}) {
    SCOPED_TRACE(moment);
    const std::string out = folder / std::to_string(moment);
    {
      ProgramRun run(paper(out));
      wait_until(run, [&] { return bytes_of(out) >= moment; });
      run.send(SIGKILL);
    }
    EXPECT_EQ(run_program(paper(out)).exit_code, 0);
    EXPECT_EQ(files_below(out), whole);
  }
}

TEST(Paper, CtrlCWhilePredictorsAreJudgedEndsItInOrderWith130) {
  const TemporaryFolder folder;
  const std::string out = folder / "paper";
  // Only the search: what the page would be made of is interrupted.
  ASSERT_EQ(run_program(paper(out)).exit_code, 0);
  const auto whole = files_below(out);
  for (const auto& [path, text] : whole) {
    if (path.find('/') == std::string::npos) std::filesystem::remove(out + "/" + path);
  }
  const auto searched = files_below(out);
  std::vector<std::string> words = paper(out);
  words[6] = "5000";  // repeats: minutes
  const Ending ending = interrupted(words);
  EXPECT_EQ(ending.exit_code, 130);
  EXPECT_EQ(ending.out, "");
  // On a slow machine the signal may come while the journals are still being replayed.
  const auto ended_in = [](const std::string& where) {
    return "cubicbench: ended by SIGINT; " + where + " is in order: the same command continues\n";
  };
  EXPECT_TRUE(ending.err == ended_in(out) || ending.err == ended_in(out + "/search")) << ending.err;
  EXPECT_EQ(files_below(out), searched);
  EXPECT_EQ(run_program(paper(out)).exit_code, 0);
  EXPECT_EQ(files_below(out), whole);
}

TEST(Paper, AFolderOfAnotherVersionOrTruthIsLeftAloneAndTheWayOutIsSaid) {
  const TemporaryFolder folder;
  const std::string out = folder / "paper";
  ASSERT_EQ(run_program(paper(out)).exit_code, 0);
  const std::string plan = read_text(out + "/search/plan.json");
  const std::size_t truth = plan.find('"', plan.find("\"truth_sha256\": [") + 17) + 1;
  for (const std::size_t place : {plan.find("\"version\": \"") + 12, truth}) {
    std::string other = plan;
    other[place] = other[place] == '9' ? '8' : '9';
    write_text(out + "/search/plan.json", other);
    const auto before = files_below(out);
    const Ending ending = run_program(paper(out));
    EXPECT_EQ(ending.exit_code, 2);
    EXPECT_EQ(ending.out, "");
    EXPECT_EQ(ending.err,
              out + ": " + made_otherwise + out + " or name another folder with --out\n");
    EXPECT_EQ(files_below(out), before);
  }
}

TEST(Paper, AFolderWithOtherSearchersOrTrialsIsLeftAloneToo) {
  const TemporaryFolder folder;
  const std::string out = folder / "paper";
  const std::string search = out + "/search";
  ASSERT_EQ(run_program({"search", "ads-73b", "--searcher", "random,evolution", "--trials", "2",
                         "--quiet", "--out", search})
                .exit_code,
            0);
  const auto before = files_below(out);
  const Ending ending = run_program(paper(out));
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_EQ(ending.err, out + ": " + made_otherwise + out + " or name another folder with --out\n");
  EXPECT_EQ(files_below(out), before);
}

TEST(Paper, ADamagedStudyIsSaidWithTheWayOut) {
  const TemporaryFolder folder;
  const std::string out = folder / "paper";
  ASSERT_EQ(run_program(paper(out)).exit_code, 0);
  write_text(out + "/search/journals/ads-73b.0.random.0.jsonl", "{}\n{}\n");
  const Ending ending = run_program(paper(out));
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err, StartsWith(out + "/search/journals/ads-73b.0.random.0.jsonl:"));
  EXPECT_THAT(ending.err, EndsWith(out + "/search: damaged or changed by hand; remove " + out +
                                   " or name another folder with --out\n"));
}

TEST(Paper, WhatIsSomebodyElsesIsLeftAlone) {
  struct Case {
    const char* name;
    const char* file;  ///< in the folder
    const char* got;   ///< of the message
  };
  for (const Case& c :
       {Case{"a note", "notes.txt", "one with \"notes.txt\""},
        Case{"a page that no search stands behind", "index.html", "one with \"index.html\""},
        Case{"a file where the search belongs", "search", "one with \"search\""}}) {
    SCOPED_TRACE(c.name);
    const TemporaryFolder folder;
    const std::string out = folder / "mine";
    std::filesystem::create_directories(out);
    write_text(out + "/" + c.file, "mine");
    const auto before = files_below(out);
    const Ending ending = run_program(paper(out));
    EXPECT_EQ(ending.exit_code, 2);
    EXPECT_EQ(ending.out, "");
    EXPECT_EQ(ending.err,
              std::string("--out: expected a new or empty folder, or one that paper made, got ") +
                  c.got + "\n");
    EXPECT_EQ(files_below(out), before);
  }
}

TEST(Paper, AFileIsNoFolder) {
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  write_text(file, "mine");
  const std::string expected =
      "--out: expected a new or empty folder, or one that paper made, got ";
  const Ending ending = run_program(paper(file));
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_EQ(ending.err, expected + "a file\n");
  const Ending below = run_program(paper(file + "/deeper"));
  EXPECT_EQ(below.exit_code, 2);
  EXPECT_EQ(below.err, expected + "a path through a file\n");
  EXPECT_EQ(read_text(file), "mine");
}

TEST(Paper, ThreadsChangeNoByte) {
  const TemporaryFolder folder;
  const auto made = [&](const std::string& threads) {
    const std::string out = folder / threads;
    const Ending ending = run_program({"paper", "--trials", "6", "--seeds", "1", "--repeats", "1",
                                       "--threads", threads, "--out", out});
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    return files_below(out);
  };
  const auto one = made("1");
  EXPECT_TRUE(one.contains("index.html"));
  EXPECT_EQ(made("3"), one);
}

TEST(Paper, JsonIsOneDocument) {
  const TemporaryFolder folder;
  const std::string out = folder / "paper";
  std::vector<std::string> words = paper(out, {"--json"});
  words[4] = "2";  // seeds
  words[6] = "2";  // repeats
  const Ending ending = run_program(words);
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const auto document = nlohmann::ordered_json::parse(ending.out);
  EXPECT_EQ(document["schema"], "cubicbench.paper/1");
  EXPECT_EQ(document["page"], out + "/index.html");
  const scenarios::Campaign campaign = scenarios::read_campaign("paper", {});
  // Two seeds of each searcher.
  ASSERT_EQ(document["studies"].size(), 2 * campaign.studies.front().searchers.size());
  EXPECT_EQ(document["studies"][0]["study"], "ads-73b.0.random.0");
  EXPECT_EQ(document["studies"][5]["study"], "ads-73b.0.evolution.1");
  ASSERT_EQ(document["predictions"].size(), campaign.predictions.size());
  for (std::size_t i = 0; i < campaign.predictions.size(); ++i) {
    const scenarios::CampaignPrediction& asked = campaign.predictions[i];
    const auto& given = document["predictions"][i];
    EXPECT_EQ(given["name"], asked.name);
    EXPECT_EQ(given["dataset"], asked.dataset + asked.scenario);
    EXPECT_EQ(given["split"], asked.split);
    EXPECT_EQ(given["results"].size(), asked.predictors.size() * asked.train.size());
    EXPECT_EQ(given["results"][0]["repeats"], 2);
  }
  EXPECT_EQ(document["files"][0], "index.html");
}

TEST(Paper, TheFolderOfASearchIsLeftAlone) {
  const TemporaryFolder folder;
  const std::string out = folder / "search";
  ASSERT_EQ(
      run_program({"search", "tiny-llama", "--searcher", "random", "--trials", "2", "--out", out})
          .exit_code,
      0);
  const auto before = files_below(out);
  const Ending ending = run_program(paper(out));
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_EQ(ending.out, "");
  EXPECT_EQ(ending.err, "--out: expected a folder of its own, got " + out +
                            ", which holds the plan.json of a search\n");
  EXPECT_EQ(files_below(out), before);
}

}  // namespace
}  // namespace cubicbench::integration
