#include "search/folder/search_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "support/input_error.h"
#include "support/json/json_difference.h"
#include "support/json/json_document.h"
#include "support/json/strict_json.h"
#include "support/temporary_file.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using support::FileDescriptor;
using support::InputError;
using support::OutputError;

constexpr const char* plan_name = "plan.json";
constexpr const char* finished_name = "finished.json";
constexpr const char* journals_name = "journals";
constexpr const char* truth_name = "truth";

[[noreturn]] void unwritable(const fs::path& path, int error) {
  throw OutputError("cannot write " + path.string() + ": " +
                    std::generic_category().message(error));
}

[[noreturn]] void held_by_another(const fs::path& directory) {
  throw OutputError(directory.string() + ": another process is searching in this folder");
}

/// False when a living process holds the lock.
bool is_locked_now(int file, const fs::path& path) {
  if (support::try_lock(file)) return true;
  if (errno == EWOULDBLOCK) return false;
  unwritable(path, errno);
}

/// The same within half a second: a child that a killed search was just starting holds the lock
/// until it has become its program.
bool is_locked_soon(int file, const fs::path& path) {
  constexpr int looks = 25;
  for (int look = 0; look < looks; ++look) {
    if (is_locked_now(file, path)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) unwritable(path, error.value());
  if (!fs::is_directory(path, error)) unwritable(path, ENOTDIR);
}

std::vector<fs::path> entries(const fs::path& directory) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    found.push_back(it->path());
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    throw OutputError("cannot read " + directory.string() + ": " + error.message());
  }
  return found;
}

/// A stranger may have packed the folder of a search: we write and tidy up in it, and nowhere else.
void require_no_link(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_symlink(path, ignored)) {
    throw InputError(path.string(), "expected a folder, got a link to one");
  }
}

bool is_temporary(const fs::path& path) { return path.extension() == ".tmp"; }

void remove_temporaries(const fs::path& directory) {
  for (const fs::path& path : entries(directory)) {
    std::error_code error;
    if (is_temporary(path) && fs::is_regular_file(path, error)) fs::remove(path, error);
  }
}

/// Is a process about to begin a search here?
bool being_begun(const std::vector<fs::path>& found) {
  for (const fs::path& path : found) {
    if (!is_temporary(path)) continue;
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file && !is_locked_now(file.get(), path)) return true;
  }
  return false;
}

/// Refuses a folder that has no plan.json but holds something.
void require_free(const fs::path& directory, bool resume) {
  const std::vector<fs::path> found = entries(directory);
  for (const fs::path& path : found) {
    if (resume && is_temporary(path)) continue;
    if (fs::exists(directory / plan_name)) return;  // begun by another process just now
    if (being_begun(found)) held_by_another(directory);
    throw InputError(directory.string(), resume
                                             ? "expected the folder of a search, got one with \"" +
                                                   path.filename().string() + "\" and no plan.json"
                                             : "expected a new or empty folder, got one with \"" +
                                                   path.filename().string() + "\"");
  }
}

/// Renames unless there is a file of that name; false, with `from` removed, where there is, or
/// where another process, which holds the folder now, has removed `from`.
bool rename_to_new(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EINVAL || errno == ENOSYS) {  // a file system that cannot
    if (::link(from.c_str(), to.c_str()) == 0) {
      ::unlink(from.c_str());
      return true;
    }
  }
  const int error = errno;
  ::unlink(from.c_str());
  if (error == EEXIST || error == ENOENT) return false;
  unwritable(to, error);
}

/// Publishes plan.json with its lock already held, so that nobody can see it without. Nothing when
/// another process was faster.
FileDescriptor publish(const fs::path& directory, std::string_view plan) {
  const fs::path path = directory / plan_name;
  support::TemporaryFile file(path);
  if (!support::write_all(file.fd(), plan) || ::fsync(file.fd()) != 0) unwritable(path, errno);
  if (!rename_to_new(file.path(), path)) return FileDescriptor();
  return file.release();
}

/// Locks the plan.json that is there; nothing when there is none.
FileDescriptor lock_existing(const fs::path& directory) {
  const fs::path path = directory / plan_name;
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file && errno == ENOENT) return FileDescriptor();
  if (!file) throw InputError(path.string(), "expected a readable file, got none");
  if (!is_locked_soon(file.get(), path)) held_by_another(directory);
  return file;
}

/// A plan of another version may differ in anything: that it is one is all there is to say.
void require_own_version(const fs::path& path, const nlohmann::ordered_json& found) {
  if (!found.is_object() || !found.contains("version")) return;
  const nlohmann::ordered_json& version = found["version"];
  if (version == support::own_version()) return;
  throw InputError(
      path.string() + "#/version",
      support::other_version(version.is_string() ? version.get<std::string>() : version.dump()));
}

bool is_truth(const support::JsonDifference& difference) {
  return difference.pointer.find("/truth_sha256") != std::string::npos;
}

/// Thousands of launches may differ, for one reason.
void require_same_warm_start(const fs::path& path, const nlohmann::ordered_json& asked,
                             const nlohmann::ordered_json& found) {
  constexpr const char* key = "warm_start";
  if (!found.is_object() || !asked.contains(key) || !found.contains(key)) return;
  if (asked[key] == found[key]) return;
  throw InputError(path.string() + "#/" + key,
                   "expected what --warm-start tells, got other launches: it names another folder, "
                   "or one that has changed since, which --resume cannot follow");
}

void require_same(const fs::path& path, std::string_view plan) {
  const std::string found = support::read_file(path);
  if (found == plan) return;
  const nlohmann::ordered_json earlier = support::parse_json(found, path.string());
  require_own_version(path, earlier);
  std::vector<support::Problem> problems;
  const nlohmann::ordered_json asked = support::parse_json(plan, path.string());
  require_same_warm_start(path, asked, earlier);
  for (const support::JsonDifference& difference : support::differences(asked, earlier)) {
    problems.push_back({path.string() + "#" + difference.pointer,
                        support::text_of(difference) + (is_truth(difference)
                                                            ? ", another truth than this program's"
                                                            : ", which --resume cannot change")});
  }
  support::throw_if_any(problems);
  throw InputError(path.string(), "expected the file byte for byte as written, got " +
                                      support::other_bytes(plan, found));
}

}  // namespace

SearchFolder::SearchFolder(fs::path directory, std::string_view plan, bool resume)
    : directory_(std::move(directory)) {
  make_folder(directory_);
  while (!lock_) {
    if (FileDescriptor existing = lock_existing(directory_)) {
      if (!resume) {
        throw InputError(directory_.string(),
                         "expected a new or empty folder, or --resume to go on with its search");
      }
      require_same(directory_ / plan_name, plan);
      lock_ = std::move(existing);
    } else {
      require_free(directory_, resume);
      lock_ = publish(directory_, plan);
    }
  }
  for (const char* room : {journals_name, truth_name}) require_no_link(directory_ / room);
  make_folder(directory_ / journals_name);
  for (const char* folder : {"", journals_name, truth_name})
    remove_temporaries(directory_ / folder);
  journals_ = opened(journals_name);
}

FileDescriptor SearchFolder::opened(const char* room) const {
  const fs::path path = directory_ / room;
  FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder) unwritable(path, errno);
  require_held();  // so that it is a room of this folder, and of no other with the same name
  return folder;
}

void SearchFolder::keep_truth() {
  make_folder(directory_ / truth_name);
  truth_ = opened(truth_name);
}

StudyPlaces SearchFolder::places_of(const std::string& study) const {
  return {.journal = {journal_of(directory_, study), journals_.get()},
          .truth = {truth_of(directory_, study), truth_.get()}};
}

void SearchFolder::require_held() const {
  struct stat held {};
  struct stat there {};
  if (::fstat(lock_.get(), &held) == 0 && ::stat((directory_ / plan_name).c_str(), &there) == 0 &&
      held.st_dev == there.st_dev && held.st_ino == there.st_ino) {
    return;
  }
  throw OutputError(directory_.string() +
                    ": the folder was moved or removed while it was searched; --resume goes on "
                    "with it where it is now");
}

void SearchFolder::require_only(const std::set<std::string>& studies) const {
  std::vector<support::Problem> problems;
  for (const char* folder : {journals_name, truth_name}) {
    for (const fs::path& path : entries(directory_ / folder)) {
      if (path.extension() == ".jsonl" && !studies.contains(path.stem().string())) {
        problems.push_back({path.string(), "expected a study of plan.json, got another one"});
      }
    }
  }
  support::throw_if_any(problems);
}

fs::path journal_of(const fs::path& folder, const std::string& study) {
  return folder / journals_name / (study + ".jsonl");
}

fs::path truth_of(const fs::path& folder, const std::string& study) {
  return folder / truth_name / (study + ".jsonl");
}

StudyPlaces places_of(const fs::path& folder, const std::string& study) {
  return {.journal = {journal_of(folder, study)}, .truth = {truth_of(folder, study)}};
}

bool is_file_of_search(const fs::path& path) {
  std::error_code ignored;
  const fs::path folder = fs::weakly_canonical(fs::absolute(path, ignored).parent_path(), ignored);
  const auto is_search = [&](const fs::path& directory) {
    return fs::exists(directory / plan_name, ignored) &&
           fs::is_directory(directory / journals_name, ignored);
  };
  const fs::path name = path.filename();
  if (name == plan_name || name == finished_name) return is_search(folder);
  const fs::path room = folder.filename();
  return (room == journals_name || room == truth_name) && is_search(folder.parent_path());
}

fs::path finished_of(const fs::path& folder) { return folder / finished_name; }

FileDescriptor hold_search(const fs::path& directory) {
  FileDescriptor lock = lock_existing(directory);
  if (!lock) {
    throw InputError(directory.string(),
                     "expected the folder of a search, got one without plan.json, or none");
  }
  return lock;
}

}  // namespace cubicbench::search
