#include "tests/golden_files.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/temporary_folder.h"

namespace cubicbench {
namespace {

TEST(Goldens, AllAreMadeByTheVersionOfTheProject) {
  const Goldens goldens;
  EXPECT_FALSE(goldens.may_change())
      << "the goldens were made by " << goldens.made_by() << " and this is " << goldens.version
      << ": rewrite them (UPDATE_GOLDEN=1), then write " << goldens.version
      << " into tests/golden/VERSION";
}

TEST(Goldens, APartOfTheVersionSaysWhichValues) {
  EXPECT_EQ(golden_part("0.1.0"), "0.1");
  EXPECT_EQ(golden_part("0.12.3"), "0.12");
  EXPECT_EQ(golden_part("1.0.0"), "1");
  EXPECT_EQ(golden_part("2.3.1"), "2");
}

TEST(Goldens, ChangesOnlyWithTheVersion) {
  const std::string refused =
      "a.txt differs and the version does not: a change of a golden raises the project's minor "
      "version (CMakeLists.txt), now 0.1.4 as when the goldens were made";
  struct Case {
    const char* name;
    const char* version;
    bool update;
    const char* now;
    std::string problem;
    const char* left;  ///< in the file
  };
  for (const Case& c :
       {Case{"the same", "0.1.4", false, "old", "", "old"},
        Case{"the same under an update", "0.1.4", true, "old", "", "old"},
        Case{"another", "0.1.4", false, "new", refused, "old"},
        Case{"a patch rewrites nothing", "0.1.4", true, "new", refused + "; not rewritten", "old"},
        Case{"another of a later version", "0.2.0", false, "new",
             "a.txt differs; UPDATE_GOLDEN=1 rewrites it", "old"},
        Case{"rewritten by a later version", "0.2.0", true, "new", "", "new"}}) {
    SCOPED_TRACE(c.name);
    const TemporaryFolder folder;
    write_text(folder / "VERSION", "0.1.2\n");
    write_text(folder / "a.txt", "old");
    const Goldens goldens{.folder = folder.path(), .version = c.version, .update = c.update};
    EXPECT_EQ(goldens.problem_of("a.txt", c.now), c.problem);
    EXPECT_EQ(read_text(folder / "a.txt"), c.left);
  }
}

TEST(Goldens, NameTheFirstLineThatDiffers) {
  EXPECT_EQ(first_difference("a\nb\nc\n", "a\nx\ny\n"), "\nline 2\n  golden: b\n  now: x");
  EXPECT_EQ(first_difference("a\nb\n", "a\n"), "\nline 2\n  golden: b\n  now: the end");
  EXPECT_EQ(first_difference("", "a\n"), "\nline 1\n  golden: the end\n  now: a");
}

TEST(Goldens, APageChangesInAnyVersion) {
  const TemporaryFolder folder;
  write_text(folder / "VERSION", "0.1.2\n");
  write_text(folder / "page.txt", "old");
  Goldens goldens{.folder = folder.path(), .version = "0.1.2", .update = false, .values = false};
  EXPECT_EQ(goldens.problem_of("page.txt", "new"), "page.txt differs; UPDATE_GOLDEN=1 rewrites it");
  goldens.update = true;
  EXPECT_EQ(goldens.problem_of("page.txt", "new"), "");
  EXPECT_EQ(read_text(folder / "page.txt"), "new");
}

TEST(Goldens, AMissingOneIsWrittenByAnUpdateAlone) {
  const TemporaryFolder folder;
  write_text(folder / "VERSION", "0.1.2\n");
  Goldens goldens{.folder = folder.path(), .version = "0.1.2", .update = false};
  EXPECT_EQ(goldens.problem_of("a.txt", "new"), "a.txt is missing; UPDATE_GOLDEN=1 writes it");
  goldens.update = true;
  EXPECT_EQ(goldens.problem_of("a.txt", "new"), "");
  EXPECT_EQ(read_text(folder / "a.txt"), "new");
}

}  // namespace
}  // namespace cubicbench
