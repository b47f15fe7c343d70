#include "support/named_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::support {
namespace {

using File = std::pair<dev_t, ino_t>;

struct Named {
  std::mutex mutex;
  std::set<File> inputs;
  /// Held open: the number of a file that is replaced is not another's while the command runs.
  std::map<File, FileDescriptor> outputs;
};

Named& named() {
  static Named all;
  return all;
}

File file_of(const struct stat& status) { return {status.st_dev, status.st_ino}; }

}  // namespace

void note_input(const std::filesystem::path& path, const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return;
  const std::scoped_lock lock(named().mutex);
  if (named().outputs.contains(file_of(status))) {
    throw InputError(path.string(), "expected another file than the one that is to be written");
  }
  named().inputs.insert(file_of(status));
}

void note_output(const std::filesystem::path& path, const std::string& where) {
  FileDescriptor held(::open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status {};
  if (!held || ::fstat(held.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  const std::scoped_lock lock(named().mutex);
  if (named().inputs.contains(file_of(status))) {
    throw InputError(where, "expected another file than those that are read, got \"" +
                                shortened(path.string()) + "\"");
  }
  named().outputs.insert_or_assign(file_of(status), std::move(held));
}

void forget_named_files() {
  const std::scoped_lock lock(named().mutex);
  named().inputs.clear();
  named().outputs.clear();
}

}  // namespace cubicbench::support
