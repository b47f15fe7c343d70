#include "search/backends/slurm_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "support/characters.h"
#include "support/input_error.h"
#include "support/parsed.h"
#include "support/temporary_file.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using support::InputError;
using support::OutputError;

constexpr const char* lock_name = "lock";
constexpr const char* name_name = "name";
constexpr const char* launches_name = "launches";
constexpr const char* job_name = "job";
constexpr const char* temporary = ".tmp";

/// sbatch itself tries for two minutes where the queue is full.
constexpr std::chrono::seconds lock_patience{180};
constexpr std::chrono::milliseconds lock_look{100};

[[noreturn]] void unwritable(const fs::path& path, int error) {
  throw OutputError("cannot write " + path.string() + ": " +
                    std::generic_category().message(error));
}

void require_no_link(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_symlink(path, ignored)) {
    throw InputError(path.string(), "expected a folder, got a link to one");
  }
}

/// What was renamed in it is on the disk.
void flush(const fs::path& folder) {
  const support::FileDescriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open || (::fsync(open.get()) != 0 && errno != EINVAL)) unwritable(folder, errno);
}

std::string new_name() {
  std::array<char, 8> random{};
  if (::getentropy(random.data(), random.size()) != 0) throw OutputError("no random bytes");
  std::string name = "cubicbench-";
  for (const char byte : random) name += support::hex_of(byte);
  return name;
}

double now_s() {
  using Seconds = std::chrono::duration<double>;
  return Seconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

void set_time(const fs::path& path, double seconds) {
  const double whole = std::floor(seconds);
  const timespec time{.tv_sec = static_cast<time_t>(whole),
                      .tv_nsec = static_cast<long>((seconds - whole) * 1e9)};
  const std::array<timespec, 2> times{time, time};
  if (::utimensat(AT_FDCWD, path.c_str(), times.data(), 0) != 0) unwritable(path, errno);
}

double time_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) unwritable(path, errno);
  return static_cast<double>(status.st_mtim.tv_sec) +
         static_cast<double>(status.st_mtim.tv_nsec) * 1e-9;
}

std::string first_line(const fs::path& path) {
  const std::string text = support::read_file(path);
  return text.substr(0, text.find('\n'));
}

/// "TRIAL ATTEMPT", a line a launch.
std::vector<LaunchKey> read_launches(const fs::path& path) {
  std::vector<LaunchKey> launches;
  std::istringstream lines(support::read_file(path));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = std::min(line.find(' '), line.size());
    const auto trial = support::parsed<std::int64_t>(std::string_view(line).substr(0, space));
    const auto attempt = support::parsed<std::int64_t>(
        std::string_view(line).substr(std::min(space + 1, line.size())));
    if (!trial || !attempt) {
      throw InputError(path.string(), "expected a trial and an attempt a line, got " +
                                          support::in_quotes(support::shortened(line)));
    }
    launches.push_back({.trial = *trial, .attempt = *attempt});
  }
  if (launches.empty()) throw InputError(path.string(), "expected a launch, got none");
  return launches;
}

std::optional<std::int64_t> read_job_number(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return std::nullopt;
  const std::optional<std::int64_t> job = support::parsed<std::int64_t>(first_line(path));
  if (!job) throw InputError(path.string(), "expected the number of a job, got another text");
  return job;
}

/// sbatch puts something in the place of `%` and a letter.
std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) text += c == '%' ? std::string("%%") : std::string(1, c);
  return text;
}

}  // namespace

SlurmId SlurmBatch::id(std::size_t task) const {
  return {.job = job.value(),
          .task = is_array() ? std::optional(static_cast<std::int64_t>(task)) : std::nullopt};
}

fs::path SlurmBatch::file(std::size_t task, const std::string& kind) const {
  return folder / (std::to_string(task) + "." + kind);
}

std::string SlurmBatch::pattern(const std::string& kind) const {
  return escaped(folder.string()) + (is_array() ? "/%a." : "/0.") + kind;
}

SlurmFolder::SlurmFolder(const fs::path& folder, double elapsed_s) {
  std::error_code error;
  folder_ = fs::absolute(folder, error);
  if (error) throw OutputError("no working folder: " + error.message());
  if (folder_.string().find_first_of("\\\n") != std::string::npos) {
    throw InputError("--out", "expected a path without backslashes with --backend slurm, got " +
                                  support::in_quotes(support::shortened(folder.string())));
  }
  require_no_link(folder_.parent_path());
  require_no_link(folder_);
  fs::remove_all(folder_.string() + temporary, error);
  support::make_folders(folder_);
  lock();
  read_name(elapsed_s);
  read_batches();
}

void SlurmFolder::lock() {
  const fs::path path = folder_ / lock_name;
  lock_ = support::FileDescriptor(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode_t{0666}));
  if (!lock_) unwritable(path, errno);
  const auto until = std::chrono::steady_clock::now() + lock_patience;
  while (!support::try_lock(lock_.get())) {
    if (errno != EWOULDBLOCK) unwritable(path, errno);
    if (std::chrono::steady_clock::now() > until) {
      throw OutputError(folder_.string() + ": an sbatch of an earlier run is still at work");
    }
    std::this_thread::sleep_for(lock_look);
  }
}

void SlurmFolder::read_name(double elapsed_s) {
  const fs::path path = folder_ / name_name;
  std::error_code error;
  const double latest_s = now_s() - elapsed_s;
  if (fs::exists(path, error)) {
    name_ = first_line(path);
    began_s_ = time_of(path);
  } else {
    name_ = new_name();
    // It has the time of the beginning from the moment on at which it has its name.
    support::write_file_atomic(path, name_ + "\n");
    began_s_ = latest_s;
    set_time(path, began_s_);
  }
  // A folder that was copied, or a clock that was set back.
  if (began_s_ <= latest_s) return;
  began_s_ = latest_s;
  set_time(path, began_s_);
}

void SlurmFolder::read_batches() {
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    const fs::path path = it->path();
    std::error_code ignored;
    if (!fs::is_directory(fs::symlink_status(path, ignored))) continue;
    if (path.extension() == temporary) {
      fs::remove_all(path, ignored);
      continue;
    }
    earlier_.push_back({.folder = path,
                        .name = name_ + "-" + path.filename().string(),
                        .launches = read_launches(path / launches_name),
                        .job = read_job_number(path / job_name)});
  }
  if (error) throw OutputError("cannot read " + folder_.string() + ": " + error.message());
  std::ranges::sort(earlier_, {}, &SlurmBatch::launches);
}

SlurmBatch SlurmFolder::add(const std::vector<RequestedLaunch>& launches) const {
  const LaunchKey first = launches.front().key;
  const std::string numbers = std::to_string(first.trial) + "-" + std::to_string(first.attempt);
  SlurmBatch batch;
  std::error_code error;
  // One of that name is of an earlier run whose client asked for something else then.
  for (int i = 0; i == 0 || fs::exists(batch.folder, error); ++i) {
    batch.folder = folder_ / (numbers + (i == 0 ? "" : "-" + std::to_string(i)));
  }
  batch.name = name_ + "-" + batch.folder.filename().string();
  const fs::path made = batch.folder.string() + temporary;
  fs::remove_all(made, error);
  support::make_folders(made);
  std::string keys;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const auto& [key, request] = launches[i];
    batch.launches.push_back(key);
    keys += std::to_string(key.trial) + " " + std::to_string(key.attempt) + "\n";
    support::write_file_atomic(made / (std::to_string(i) + ".request"), request);
  }
  support::write_file_atomic(made / launches_name, keys);
  fs::rename(made, batch.folder, error);
  if (error) unwritable(batch.folder, error.value());
  flush(folder_);
  return batch;
}

void SlurmFolder::submitted(SlurmBatch& batch, std::int64_t job) const {
  support::write_file_atomic(batch.folder / job_name, std::to_string(job) + "\n");
  batch.job = job;
}

void SlurmFolder::remove(const SlurmBatch& batch) const {
  // Half of one is none.
  const fs::path gone = batch.folder.string() + temporary;
  std::error_code error;
  fs::remove_all(gone, error);
  fs::rename(batch.folder, gone, error);
  if (error && error != std::errc::no_such_file_or_directory) {
    unwritable(batch.folder, error.value());
  }
  fs::remove_all(gone, error);
}

void SlurmFolder::remove_all() {
  // A file that is open keeps a name on some network file systems.
  lock_.close();
  const fs::path gone = folder_.string() + temporary;
  std::error_code error;
  fs::rename(folder_, gone, error);
  if (error) unwritable(folder_, error.value());
  fs::remove_all(gone, error);
  fs::remove(folder_.parent_path(), error);  // unless it holds the jobs of another study
}

}  // namespace cubicbench::search
