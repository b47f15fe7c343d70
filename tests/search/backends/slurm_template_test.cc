#include "search/backends/slurm_template.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

using std::chrono::milliseconds;

SlurmTemplate template_of(const std::string& text) {
  const TemporaryFolder folder;
  write_text(folder / "job.sh", text);
  return read_slurm_template(folder / "job.sh", "--backend");
}

/// What it says is wrong, the folder left out.
std::string problem_of(const std::string& text) {
  const TemporaryFolder folder;
  write_text(folder / "job.sh", text);
  try {
    read_slurm_template(folder / "job.sh", "--backend");
  } catch (const support::InputError& error) {
    std::string all;
    for (const support::Problem& problem : error.problems()) {
      const std::size_t name = problem.where.rfind('/');
      all += problem.where.substr(name == std::string::npos ? 0 : name + 1) + ": " + problem.text +
             "\n";
    }
    return all;
  }
  return "";
}

TEST(SlurmTemplate, HasUsualPauses) {
  const SlurmTemplate usual = template_of("#!/bin/sh\n#SBATCH --gres=gpu:8\ntrain\n");
  EXPECT_EQ(usual.poll, milliseconds{15'000});
  EXPECT_EQ(usual.patience, milliseconds{600'000});
  EXPECT_FALSE(usual.pending_limit.has_value());
  EXPECT_FALSE(usual.has_time_limit);
  EXPECT_TRUE(usual.path.is_absolute());
}

TEST(SlurmTemplate, SaysHowOftenToLookAndHowLongToWait) {
  const SlurmTemplate script = template_of(
      "#!/bin/sh\n#CUBICBENCH --poll=0.5 --patience=60  # seconds\n"
      "#CUBICBENCH --pending-limit=3600\n");
  EXPECT_EQ(script.poll, milliseconds{500});
  EXPECT_EQ(script.patience, milliseconds{60'000});
  EXPECT_EQ(script.pending_limit, milliseconds{3'600'000});
}

TEST(SlurmTemplate, IsReadAsSbatchReadsIt) {
  EXPECT_TRUE(template_of("#!/bin/sh\n#SBATCH --time=1:00:00\n").has_time_limit);
  EXPECT_TRUE(template_of("#!/bin/sh\n\n# words\n#SBATCH -N 2 -t30\n").has_time_limit);
  EXPECT_TRUE(template_of("#!/bin/sh\n#SBATCH -t 30 # --array=0-3\n").has_time_limit);
  EXPECT_FALSE(template_of("#!/bin/sh\n#SBATCH --time-min=30\n").has_time_limit);
  EXPECT_FALSE(template_of("#!/bin/sh\n#SBATCH # --time=30\n").has_time_limit);
  EXPECT_FALSE(template_of("#!/bin/sh\ntrain\n#SBATCH --time=30\n").has_time_limit)
      << "after a command it is a comment";
}

TEST(SlurmTemplate, NamesEveryLineThatIsNone) {
  EXPECT_EQ(problem_of("echo\n").substr(0, 64),
            "--backend: expected slurm:TEMPLATE, a script that starts with #!");
  EXPECT_EQ(
      problem_of("#!/bin/sh\n#SBATCH --array=0-3\n#CUBICBENCH --pol=3\n#CUBICBENCH --poll=0\n"
                 "#SBATCH -M other\n"),
      "job.sh:2: expected no --array: one launch is one job, which the suite submits and waits "
      "for\n"
      "job.sh:3: expected --poll=SECONDS, --patience=SECONDS or --pending-limit=SECONDS, above "
      "0 and up to 30 days, got \"--pol=3\"\n"
      "job.sh:4: expected --poll=SECONDS, --patience=SECONDS or --pending-limit=SECONDS, above "
      "0 and up to 30 days, got \"--poll=0\"\n"
      "job.sh:5: expected no --clusters: one launch is one job, which the suite submits and "
      "waits for\n");
  EXPECT_THROW(read_slurm_template("/nowhere/job.sh", "--backend"), support::InputError);
}

}  // namespace
}  // namespace cubicbench::search
