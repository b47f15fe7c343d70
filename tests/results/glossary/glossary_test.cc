#include "results/glossary/glossary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "results/simulation/part_names.h"
#include "results/tables/glossary_document.h"
#include "scenarios/space/setting.h"
#include "support/characters.h"
#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::results {
namespace {

using support::InputError;
using testing::ElementsAre;
using testing::HasSubstr;

std::string read_page(const std::string& path) {
  return support::read_file(std::string(CUBICBENCH_SOURCE_DIR) + "/docs/" + path);
}

std::string message_of(const std::string& text) {
  try {
    read_terms(text, "terms.md");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ReadTerms, ReadsAllThatAnEntryHas) {
  const std::vector<GlossaryEntry> entries = read_terms(
      "# Glossary\n\n## ring\nalso: rings, ring algorithm\nA circle. It is long.\n"
      "source: [NCCL]\nsee: tree\n\n## tree\nA tree. It is deep.\nsource: docs/network.md\n",
      "terms.md");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].name, "ring");
  EXPECT_THAT(entries[0].also, ElementsAre("rings", "ring algorithm"));
  EXPECT_EQ(entries[0].text, "A circle. It is long.");
  EXPECT_EQ(entries[0].source, "[NCCL]");
  EXPECT_THAT(entries[0].see, ElementsAre("tree"));
  EXPECT_TRUE(entries[1].also.empty());
  EXPECT_TRUE(entries[1].see.empty());
}

TEST(ReadTerms, SaysWhatIsMissingOrTooMuch) {
  EXPECT_THAT(message_of("## ring\nsource: [NCCL]\n"), HasSubstr("no meaning of \"ring\""));
  EXPECT_THAT(message_of("## ring\nA circle.\n\n## tree\n"), HasSubstr("no source of \"ring\""));
  EXPECT_THAT(message_of("## ring\nA circle.\nIt is long.\n"),
              HasSubstr("terms.md:3: expected the meaning of \"ring\" on one line"));
}

TEST(Glossary, HasEveryEntryOnce) {
  std::set<std::string> forms;
  for (const GlossaryEntry& entry : glossary()) {
    std::vector<std::string> all = entry.also;
    all.push_back(entry.name);
    for (std::string form : all) {
      std::ranges::transform(form, form.begin(), support::lowered);
      EXPECT_TRUE(forms.insert(form).second) << form;
    }
  }
}

TEST(Glossary, HasEverySettingAndEveryPartOfAStep) {
  for (const scenarios::Setting& setting : scenarios::settings()) {
    EXPECT_NE(find_entry(setting.name), nullptr) << setting.name;
  }
  for (std::size_t i = 0; i < sim::step_part_count; ++i) {
    const std::string_view label = label_of(static_cast<sim::StepPart>(i));
    EXPECT_NE(find_entry(label), nullptr) << label;
  }
  for (std::size_t i = 0; i < sim::memory_part_count; ++i) {
    const std::string_view label = label_of(static_cast<sim::MemoryPart>(i));
    EXPECT_NE(find_entry(label), nullptr) << label;
  }
}

// Abbreviations apart, a full stop ends a sentence.
TEST(Glossary, IsInAFewSentencesThatLeadOn) {
  for (const GlossaryEntry& entry : glossary()) {
    EXPECT_TRUE(entry.text.ends_with('.')) << entry.name;
    EXPECT_LE(entry.text.size(), 420U) << entry.name;
    for (const std::string& name : entry.see) {
      EXPECT_NE(find_entry(name), nullptr) << entry.name << " leads to " << name;
    }
  }
}

TEST(Glossary, HasSourcesThatThereAre) {
  const std::string bibliography = read_page("bibliography.md");
  const std::regex key(R"(\[[A-Z][A-Za-z0-9-]*\])");
  const std::regex page(R"(docs/[a-z0-9/-]+\.(md|svg))");
  for (const GlossaryEntry& entry : glossary()) {
    if (scenarios::find_setting(entry.name) != nullptr) continue;
    const std::string& source = entry.source;
    for (std::sregex_iterator i(source.begin(), source.end(), key), end; i != end; ++i) {
      EXPECT_THAT(bibliography, HasSubstr("| " + i->str() + " |")) << entry.name;
    }
    for (std::sregex_iterator i(source.begin(), source.end(), page), end; i != end; ++i) {
      EXPECT_FALSE(read_page(i->str().substr(5)).empty()) << entry.name;
    }
  }
}

TEST(Glossary, IsTheOneInTheDocumentation) {
  EXPECT_EQ(read_page("glossary.md"), glossary_markdown());
}

TEST(FindEntry, TakesEveryFormInAnyCase) {
  ASSERT_NE(find_entry("mfu"), nullptr);
  EXPECT_EQ(find_entry("mfu"), find_entry("MFU"));
  EXPECT_EQ(find_entry("no such word"), nullptr);
}

TEST(EntriesOf, TakesAPartOfAWord) {
  EXPECT_EQ(entries_of("tensor_parallel").size(), 1U);
  EXPECT_GT(entries_of("parallelism").size(), 1U);
  try {
    entries_of("tensor_paralel");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean \"tensor_parallel\"?"));
  }
}

}  // namespace
}  // namespace cubicbench::results
