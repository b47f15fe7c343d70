#include "support/temporary_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "support/characters.h"
#include "support/folder_of.h"
#include "support/input_error.h"

namespace cubicbench::support {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t random_bytes = 6;
constexpr std::string_view extension = ".tmp";

bool lock(int fd, int operation) {
  int result = 0;
  do {
    result = ::flock(fd, operation);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

[[noreturn]] void unwritable(const fs::path& target) {
  throw OutputError("cannot write " + target.string() + ": " +
                    std::generic_category().message(errno));
}

/// As much of the target's name as leaves room in a name of 255 bytes.
std::string stem_of(const fs::path& target) {
  constexpr std::size_t stem_max = 200;
  return target.filename().string().substr(0, stem_max);
}

fs::path new_name(const fs::path& target) {
  std::array<char, random_bytes> random{};
  if (::getentropy(random.data(), random.size()) != 0) unwritable(target);
  std::string name = stem_of(target) + ".";
  for (const char byte : random) name += hex_of(byte);
  return target.parent_path() / (name + std::string(extension));
}

bool is_temporary_of(std::string_view target, std::string_view name) {
  if (name.size() != target.size() + 1 + 2 * random_bytes + extension.size()) return false;
  if (!name.starts_with(target) || name[target.size()] != '.' || !name.ends_with(extension)) {
    return false;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  return name.find_first_not_of(digits, target.size() + 1) == name.size() - extension.size();
}

/// Removes the file unless somebody holds it. Whoever has just created it sees, once he holds it,
/// that it is gone.
void remove_if_left(const fs::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  if (try_lock(file.get())) ::unlink(path.c_str());
}

/// What cannot be listed cannot be written to either, which is said then.
void remove_left(const fs::path& target) {
  const std::string name = stem_of(target);
  std::error_code error;
  for (fs::directory_iterator it(folder_of(target), error), end; !error && it != end;
       it.increment(error)) {
    if (is_temporary_of(name, it->path().filename().native())) remove_if_left(it->path());
  }
}

/// Locks it where the file system can, and asks whether it still has a name.
bool is_held(int fd) {
  lock(fd, LOCK_EX);
  struct stat status {};
  return ::fstat(fd, &status) != 0 || status.st_nlink > 0;
}

}  // namespace

bool try_lock(int fd) { return lock(fd, LOCK_EX | LOCK_NB); }

TemporaryFile::TemporaryFile(const fs::path& target) {
  remove_left(target);
  while (!file_ || !is_held(file_.get())) {
    path_ = new_name(target);
    file_ = FileDescriptor(
        ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t{0666}));
    if (!file_ && errno != EEXIST) unwritable(target);
  }
}

TemporaryFile::~TemporaryFile() {
  if (is_ours_) ::unlink(path_.c_str());
}

FileDescriptor TemporaryFile::release() {
  is_ours_ = false;
  return std::move(file_);
}

}  // namespace cubicbench::support
