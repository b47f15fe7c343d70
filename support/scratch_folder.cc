#include "support/scratch_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <system_error>

#include "support/input_error.h"
#include "support/temporary_file.h"

namespace cubicbench::support {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "cubicbench-scratch.";

/// Between mkdir(2) and flock(2) a new one is not locked yet.
constexpr std::time_t new_s = 60;

/// The folder itself; none where a link has its name.
FileDescriptor open_folder(const fs::path& path) {
  return FileDescriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool was_left(const FileDescriptor& folder) {
  struct stat status {};
  return ::fstat(folder.get(), &status) == 0 && status.st_uid == ::geteuid() &&
         status.st_mtim.tv_sec < std::time(nullptr) - new_s && try_lock(folder.get());
}

/// What cannot be seen or removed stays: it is not ours to complain.
void remove_abandoned(const fs::path& above) {
  std::error_code error;
  for (fs::directory_iterator it(above, error), end; !error && it != end; it.increment(error)) {
    if (!it->path().filename().string().starts_with(prefix)) continue;
    const FileDescriptor folder = open_folder(it->path());
    std::error_code ignored;
    if (folder && was_left(folder)) fs::remove_all(it->path(), ignored);
  }
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::error_code none;
  const fs::path known = fs::temp_directory_path(none);
  const fs::path above = none ? fs::path("/tmp") : known;
  remove_abandoned(above);
  std::string name = (above / (std::string(prefix) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw OutputError("cannot make a folder " + name + ": " +
                      std::generic_category().message(errno));
  }
  path_ = name;
  lock_ = open_folder(path_);
  // A file system without locks leaves no folder that could be told from a living one's.
  if (lock_ && !try_lock(lock_.get())) lock_.close();
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace cubicbench::support
