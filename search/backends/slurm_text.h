#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::search {

// What Slurm's programs print, with SLURM_TIME_FORMAT=%s in their environment, by which moments are
// seconds since 1970 [squeue(1), scontrol(1), sacct(1) of Slurm 22.05].

/// One job, or one task of an array.
struct SlurmId {
  std::int64_t job = 0;
  std::optional<std::int64_t> task{};  ///< of an array

  auto operator<=>(const SlurmId&) const = default;
};

/// "12", or "12_3" for a task.
std::string text_of(const SlurmId& id);

/// A line of the queue.
struct QueuedJob {
  SlurmId id;
  std::string state;       ///< "PENDING", "RUNNING", ...
  double submitted_s = 0;  ///< since 1970
  double running_s = 0;    ///< for so long, by Slurm's clock
  std::string reason;      ///< why it waits, "Priority"
  std::string name;
};

/// The option of squeue that prints what read_queue() reads.
inline constexpr std::string_view queue_format = "--format=%F|%K|%T|%V|%M|%r|%j";

/// What squeue prints of that format, a task a line. A line that is none, such as of a job whose
/// name has a line break, is left out.
std::vector<QueuedJob> read_queue(std::string_view text);

/// Has such a job ended? Not while a node still tidies up behind it.
bool is_end(std::string_view state);

/// How Slurm says that a job ended. Moments are seconds since 1970.
struct JobEnd {
  std::string state{};  ///< "COMPLETED", "TIMEOUT", ...; "" where Slurm knows no more of it
  int exit_code = -1;
  int signal = 0;  ///< that ended it, or 0
  std::optional<double> started_s{};
  std::optional<double> ended_s{};
};

/// Reads the line that `scontrol --oneliner show job` prints. Nothing where it is none.
std::optional<JobEnd> read_job(std::string_view line);

/// The option of sacct that prints what read_account() reads.
inline constexpr std::string_view account_format = "--format=JobID,State,ExitCode,Start,End";

/// Reads what `sacct --noheader --parsable2` prints of that format: the line of the job, not of its
/// steps. Nothing where there is none, or it says that the job goes on.
std::optional<JobEnd> read_account(std::string_view text, const SlurmId& id);

/// The number of the job that `sbatch --parsable` prints, `12` or `12;CLUSTER`.
std::optional<std::int64_t> read_submitted(std::string_view text);

/// The first number of a job that sacct lists, `12` or `12_3` a line.
std::optional<std::int64_t> read_listed(std::string_view text);

/// Why a program of Slurm ended with an error.
enum class SlurmError {
  full,         ///< no more jobs now: later there may be room
  unreachable,  ///< Slurm does not answer: later it may
  refused,      ///< it answered no
};

SlurmError error_of(std::string_view standard_error);

/// Was the job killed by Slurm for its time, or by the kernel for its memory, as Slurm writes into
/// the job's standard error?
bool says_timeout(std::string_view line);
bool says_out_of_memory(std::string_view line);

}  // namespace cubicbench::search
