#include "scenarios/family/member_name.h"

#include <gtest/gtest.h>

#include "support/input_error.h"

namespace cubicbench::scenarios {
namespace {

TEST(MemberName, HasAFamilyAndANumber) {
  EXPECT_TRUE(is_member_name("dense-small@3"));
  const MemberName name = parse_member_name("dense-small@30");
  EXPECT_EQ(name.family, "dense-small");
  EXPECT_EQ(name.number, 30U);
  EXPECT_EQ(parse_member_name("./a@b/c.json@0").family, "./a@b/c.json");
}

TEST(MemberName, IsNoOtherName) {
  EXPECT_FALSE(is_member_name("llama3-8b"));
  EXPECT_FALSE(is_member_name("./out/me@home.json"));
  EXPECT_TRUE(is_member_name("dense-small@x"));
}

TEST(MemberName, NeedsANumberFromZeroOn) {
  for (const char* name : {"dense-small@", "dense-small@-1", "dense-small@x", "dense-small@1.5",
                           "dense-small@ 1", "@3", "dense-small@99999999999999999999"}) {
    try {
      parse_member_name(name);
      ADD_FAILURE() << name;
    } catch (const support::InputError& error) {
      EXPECT_EQ(
          std::string(error.what()),
          std::string(name) + ": expected FAMILY@K with an integer K >= 0, as in dense-small@3");
    }
  }
}

TEST(MemberName, SaltsSealProblemsOfFamiliesAndConstantsOfOthers) {
  EXPECT_TRUE(salt_seals("dense-small@3", 0));
  EXPECT_TRUE(salt_seals("llama3-8b", 1));
  EXPECT_FALSE(salt_seals("llama3-8b", 0));
}

}  // namespace
}  // namespace cubicbench::scenarios
