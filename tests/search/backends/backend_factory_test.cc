#include "search/backends/backend_factory.h"

#include <gtest/gtest.h>

#include "scenarios/readers/scenario_reader.h"
#include "support/input_error.h"
#include "support/sha256.h"

namespace cubicbench::search {
namespace {

TEST(BackendRecord, IsAsTypedUnlessItTellsWhereItIs) {
  for (const char* text : {"simulator", "slurm:jobs/train.sh", "command:./run.sh",
                           "command:sh scripts/run.sh --nodes 16",
                           "command:a-b/c ../d/e --out=out/f ~/g $HOME/h ${X}/i */j _/k 'l/m'",
                           "command:awk 'BEGIN {print 4 / 2, 6/3}'"}) {
    const std::string recorded = recorded_backend(text);
    const bool divides = std::string(text).find(" / ") != std::string::npos;
    EXPECT_EQ(is_hashed_backend(recorded), divides) << text;  // a lone '/' is taken for the root
    if (!divides) {
      EXPECT_EQ(recorded, text);
    }
  }
}

TEST(BackendRecord, HidesCommandsWithAbsolutePathsBehindTheirHash) {
  for (const std::string text :
       {"command:/opt/run.sh", "command:sh /opt/run.sh", "command:sh '/opt/run it.sh'",
        "command:OUT=/tmp/x ./run.sh", "command:cc -I/home/me x.c",
        "command:cc -Wl,-rpath,/home/me", "command:ls a,/home/me", "command:ls {/home/me,b}",
        "command:curl -d @/home/me/x", "command:ls \\/home", "command:ls ${x:-/home/me}",
        "command:ls ${x-/home/me}", "command:printf 'a\\n/home/me'", "command:cd ..//home",
        "command:ls ~+/home %/home"}) {
    EXPECT_EQ(recorded_backend(text), "command-sha256:" + support::sha256_hex(text).substr(0, 16));
    EXPECT_TRUE(is_hashed_backend(recorded_backend(text)));
  }
  EXPECT_NE(recorded_backend("command:/a"), recorded_backend("command:/b"));
  const std::string script = "slurm:/home/me/job.sh";
  EXPECT_EQ(recorded_backend(script), "slurm-sha256:" + support::sha256_hex(script).substr(0, 16));
  EXPECT_TRUE(is_hashed_backend(recorded_backend(script)));
}

TEST(BackendSpec, SaysWhatHappensToALaunchWhenWeEnd) {
  const BackendSpec slurm = parse_backend("slurm:jobs/train.sh", "test");
  EXPECT_EQ(slurm.kind, BackendKind::slurm);
  EXPECT_EQ(slurm.command, "jobs/train.sh");
  EXPECT_FALSE(is_repeatable(slurm));
  EXPECT_FALSE(ends_with_us(slurm)) << "a job goes on";
  EXPECT_TRUE(ends_with_us(parse_backend("command:a", "test")));
  EXPECT_FALSE(ends_with_us(parse_backend("simulator", "test"))) << "it is repeated";
  for (const char* none : {"slurm", "slurm:"}) {
    EXPECT_THROW(parse_backend(none, "test"), support::InputError) << none;
  }
}

TEST(MakeBackend, RefusesSlurmForAStudyWithoutAFolder) {
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  const BackendSpec slurm = parse_backend("slurm:jobs/train.sh", "test");
  EXPECT_THROW(make_backend(slurm, scenario, 0, "/dev/null", {}), support::InputError);
  EXPECT_THROW(check_backend(slurm, "test"), support::InputError) << "no such script";
  EXPECT_NO_THROW(check_backend(parse_backend("command:a", "test"), "test"));
}

}  // namespace
}  // namespace cubicbench::search
