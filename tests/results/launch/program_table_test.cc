#include "results/launch/program_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "results/document/document.h"
#include "results/document/markdown.h"
#include "scenarios/space/setting.h"
#include "support/files.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;

TEST(ProgramTable, HasEverySettingAndProgram) {
  const Table table = program_table();
  EXPECT_EQ(table.rows.size(), scenarios::setting_count);
  ASSERT_EQ(table.columns.size(), 7U);
  EXPECT_EQ(table.columns.back().heading, "torchtitan@main");
}

TEST(ProgramTable, IsThatOfTheDocumentation) {
  Document document{.title = ""};
  document.add(program_table());
  std::string table = markdown_text(document);
  table.erase(0, table.find('|'));  // no title
  const std::string page =
      support::read_file(std::string(CUBICBENCH_SOURCE_DIR) + "/docs/launch.md");
  EXPECT_THAT(page, HasSubstr(table)) << "docs/launch.md: put this table into the page:\n" << table;
}

TEST(ProgramTable, TellsApartWhatIsThereInPart) {
  std::string text;
  Document document{.title = ""};
  document.add(program_table());
  text = markdown_text(document);
  // Megatron runs two schedules of ten without an option, and has one way to compile: none.
  EXPECT_THAT(text, HasSubstr("| schedule | in part | in part |  | no | in part | in part |"));
  EXPECT_THAT(text, HasSubstr("| compile | no | no | no | no | yes | yes |"));
  EXPECT_THAT(text, HasSubstr("| tensor_parallel | yes | yes |  | no | yes | yes |"));
  EXPECT_THAT(text, HasSubstr("| wrap | no | no | no | no | no | no |"));
  EXPECT_THAT(text, HasSubstr("| recompute | in part | in part | no | no | in part | in part |"));
  EXPECT_THAT(text, HasSubstr("| embedding_kernel |  |  | yes |  |  |  |"));
}

}  // namespace
}  // namespace cubicbench::results
