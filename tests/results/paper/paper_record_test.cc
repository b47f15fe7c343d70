#include "results/paper/paper_record.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;

const PaperAnswer answer{.document = R"({"studies":[]})", .text = "done\n"};

void make_page(const fs::path& folder) {
  write_text(folder / "index.html", "<html>");
  write_text(folder / "search/journals/a.jsonl", "{}\n");
  keep_answer(folder, "cubicbench paper", answer);
}

TEST(PaperRecord, AnswersWhileNothingHasChanged) {
  const TemporaryFolder folder;
  EXPECT_EQ(kept_answer(folder.path(), "cubicbench paper"), std::nullopt);
  make_page(folder.path());
  EXPECT_EQ(kept_answer(folder.path(), "cubicbench paper"), answer);
  EXPECT_EQ(kept_answer(folder.path(), "cubicbench paper --full"), std::nullopt);
}

TEST(PaperRecord, ForgetsWhenAFileIsOtherMissingOrNew) {
  const TemporaryFolder folder;
  make_page(folder.path());
  write_text(folder / "index.html", "<HTML>");
  EXPECT_EQ(kept_answer(folder.path(), "cubicbench paper"), std::nullopt);
  make_page(folder.path());
  fs::remove(folder / "search/journals/a.jsonl");
  EXPECT_EQ(kept_answer(folder.path(), "cubicbench paper"), std::nullopt);
  make_page(folder.path());
  write_text(folder / "search/journals/b.jsonl", "");
  EXPECT_EQ(kept_answer(folder.path(), "cubicbench paper"), std::nullopt);
}

TEST(PaperRecord, ForgetsWhatAnOlderProgramOrVersionMade) {
  const TemporaryFolder folder;
  make_page(folder.path());
  const fs::path record = folder / "index.made.json";
  const auto built = fs::last_write_time("/proc/self/exe");
  fs::last_write_time(record, built - std::chrono::seconds(1));
  EXPECT_EQ(kept_answer(folder.path(), "cubicbench paper"), std::nullopt);
  fs::last_write_time(record, built + std::chrono::seconds(1));
  EXPECT_EQ(kept_answer(folder.path(), "cubicbench paper"), answer);
  auto other = nlohmann::ordered_json::parse(read_text(record));
  other["version"] = "0.0.1";
  write_text(record, other.dump());
  EXPECT_EQ(kept_answer(folder.path(), "cubicbench paper"), std::nullopt);
}

TEST(PaperRecord, ADamagedOneSaysNothing) {
  const TemporaryFolder folder;
  make_page(folder.path());
  for (const std::string_view damaged : {"", "{", "[]", "{}", R"({"document": 1, "text": []})"}) {
    write_text(folder / "index.made.json", damaged);
    EXPECT_EQ(kept_answer(folder.path(), "cubicbench paper"), std::nullopt) << damaged;
  }
}

}  // namespace
}  // namespace cubicbench::results
