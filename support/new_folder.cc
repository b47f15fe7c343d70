#include "support/new_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "support/input_error.h"
#include "support/output_place.h"
#include "support/temporary_file.h"

namespace cubicbench::support {
namespace {

namespace fs = std::filesystem;

constexpr const char* marker_name = "in-progress";
constexpr const char* whole_name = "whole";
constexpr const char* ours = "none, or what was left when a command was ended";

bool is_ours(const std::string& name) { return name == marker_name || name == whole_name; }

FileDescriptor open_file(const fs::path& path, int flags) {
  return FileDescriptor(
      ::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode_t{0666}));
}

}  // namespace

NewFolder::NewFolder(const fs::path& out, std::string where)
    : out_(out.lexically_normal()), where_(std::move(where)) {
  if (!out_.has_filename()) out_ = out_.parent_path();  // "out/"
  folder_ = out_.string() + ".tmp";
  remove_left();
  require_new();
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  if (marker_) fs::remove_all(folder_, ignored);
}

fs::path NewFolder::make() {
  make_folders(out_.parent_path());
  if (::mkdir(folder_.c_str(), mode_t{0777}) != 0) unwritable(errno);
  marker_ = open_file(folder_ / marker_name, O_WRONLY | O_CREAT | O_EXCL);
  if (!marker_ || !try_lock(marker_.get())) unwritable(errno);
  fs::path whole = folder_ / whole_name;
  make_folders(whole);
  return whole;
}

void NewFolder::keep() const {
  std::error_code error;
  fs::rename(folder_ / whole_name, out_, error);
  if (error) unwritable(error.value());
}

void NewFolder::move_into(const fs::path& folder) const {
  const fs::path whole = folder_ / whole_name;
  std::vector<fs::path> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(whole)) {
    const fs::path name = entry.path().lexically_relative(whole);
    if (entry.is_directory()) {
      make_folders(folder / name);
    } else {
      require_replaceable(folder / name);
      names.push_back(name);
    }
  }
  for (const fs::path& name : names) {
    std::error_code error;
    fs::rename(whole / name, folder / name, error);
    if (error) unwritable(error.value());
  }
}

void NewFolder::remove_left() const {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder_, error))) return;
  const std::set<std::string> names = names_in(folder_, folder_.string(), ours);
  if (!std::ranges::all_of(names, is_ours)) {
    throw InputError(folder_.string(), "expected " + std::string(ours) +
                                           ", got another: files are written there at first");
  }
  const FileDescriptor marker = open_file(folder_ / marker_name, O_RDONLY);
  if (marker && !try_lock(marker.get()) && errno == EWOULDBLOCK) {
    throw OutputError(folder_.string() + ": another process is writing in this folder");
  }
  fs::remove_all(folder_, error);
  if (error) unwritable(error.value());
}

void NewFolder::require_new() const {
  require_new_folder(out_, where_);
  std::error_code ignored;
  if (fs::equivalent(out_, fs::current_path(ignored), ignored)) {
    throw InputError(where_, "expected a new or empty folder, got the one we are in");
  }
}

void NewFolder::unwritable(int error) const {
  throw OutputError("cannot write " + out_.string() + ": " +
                    std::generic_category().message(error));
}

}  // namespace cubicbench::support
