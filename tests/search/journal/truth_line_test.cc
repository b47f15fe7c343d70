#include "search/journal/truth_line.h"

#include <gtest/gtest.h>

#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

const TruthHeader truth_header{.version = "1",
                               .scenario = "tiny",
                               .scenario_sha256 = "ab",
                               .truth_sha256 = "cd",
                               .instance = 2};
const TruthLine runs{.trial = 0, .attempt = 0, .truth = {.value = 0.1}};
const TruthLine fails{.trial = 1, .attempt = 3, .truth = {.reason = scenarios::Reason::oom_late}};

TEST(TruthLine, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  write_text(folder / "t.jsonl", truth_text(truth_header) + truth_text(runs) + truth_text(fails) +
                                     "{\"trial\":2,\"att");
  const TruthFile file = read_truth(folder / "t.jsonl");
  EXPECT_EQ(truth_text(file.header), truth_text(truth_header));
  ASSERT_EQ(file.lines.size(), 2U);  // the torn one is left out
  EXPECT_EQ(truth_text(file.lines[0]), truth_text(runs));
  EXPECT_EQ(truth_text(file.lines[1]), truth_text(fails));
}

TEST(TruthLine, SaysEverythingThatIsWrong) {
  const TemporaryFolder folder;
  const std::string path = (folder / "t.jsonl").string();
  write_text(path,
             truth_text(truth_header) +
                 "{\"trial\":-1,\"attempt\":0,\"reason\":null}\nnothing\n"
                 "{\"trial\":1,\"attempt\":0,\"reason\":\"luck\",\"value\":null,\"noise\":1}\n");
  try {
    read_truth(path);
    FAIL() << "expected an error";
  } catch (const support::InputError& error) {
    EXPECT_EQ(error.what(),
              path + ":2#/trial: expected an integer in [0, 1000000000], got -1\n" + path +
                  ":2#/value: expected a number, got nothing\n" + path +
                  ":3: expected a line of JSON, got damage\n" + path +
                  ":4#/reason: expected a reason why configurations fail, or null, got \"luck\"\n" +
                  path + ":4#/noise: unknown key");
  }
}

}  // namespace
}  // namespace cubicbench::search
