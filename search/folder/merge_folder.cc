#include "search/folder/merge_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <string>
#include <system_error>

#include "support/input_error.h"
#include "support/temporary_file.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using support::InputError;
using support::OutputError;

constexpr const char* marker_name = "merge-in-progress";
constexpr const char* whole_name = "whole";
constexpr const char* ours = "expected none, or what a merge left that was ended";

bool is_ours(const std::string& name) { return name == marker_name || name == whole_name; }

support::FileDescriptor open_file(const fs::path& path, int flags) {
  return support::FileDescriptor(
      ::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode_t{0666}));
}

}  // namespace

MergeFolder::MergeFolder(const fs::path& out) : out_(out.lexically_normal()) {
  if (!out_.has_filename()) out_ = out_.parent_path();  // "out/"
  folder_ = out_.string() + ".tmp";
  remove_left();
}

MergeFolder::~MergeFolder() {
  std::error_code ignored;
  if (marker_) fs::remove_all(folder_, ignored);
}

fs::path MergeFolder::whole() const { return folder_ / whole_name; }

void MergeFolder::make() {
  support::make_folders(out_.parent_path());
  if (::mkdir(folder_.c_str(), mode_t{0777}) != 0) unwritable(errno);
  marker_ = open_file(folder_ / marker_name, O_WRONLY | O_CREAT | O_EXCL);
  if (!marker_ || !support::try_lock(marker_.get())) unwritable(errno);
}

void MergeFolder::keep() const {
  std::error_code error;
  fs::rename(whole(), out_, error);
  if (error) unwritable(error.value());
}

void MergeFolder::remove_left() const {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder_, error))) return;
  const std::set<std::string> names = support::names_in(folder_, folder_.string(), ours);
  if (!std::ranges::all_of(names, is_ours)) {
    throw InputError(folder_.string(),
                     std::string(ours) + ", got another: the whole is written there at first");
  }
  const support::FileDescriptor marker = open_file(folder_ / marker_name, O_RDONLY);
  if (marker && !support::try_lock(marker.get()) && errno == EWOULDBLOCK) {
    throw OutputError(folder_.string() + ": another process is merging in this folder");
  }
  fs::remove_all(folder_, error);
  if (error) unwritable(error.value());
}

void MergeFolder::unwritable(int error) const {
  throw OutputError("cannot write " + out_.string() + ": " +
                    std::generic_category().message(error));
}

}  // namespace cubicbench::search
