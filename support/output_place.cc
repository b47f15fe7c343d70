#include "support/output_place.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <cerrno>
#include <system_error>

#include "support/files.h"
#include "support/folder_of.h"
#include "support/input_error.h"
#include "support/new_folder.h"
#include "support/temporary_file.h"

namespace cubicbench::support {
namespace {

namespace fs = std::filesystem;

std::string cannot_write(const fs::path& path) { return "cannot write " + path.string() + ": "; }

[[noreturn]] void unwritable(const fs::path& path, int error) {
  throw OutputError(cannot_write(path) + std::generic_category().message(error));
}

/// Whether it is a name of an open file, as /dev/stdout is: renaming over it would take the name
/// away from everybody.
bool names_open_file(const fs::path& path) {
  struct statfs system {};
  if (::statfs(folder_of(path).c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC) {
    return true;
  }
  std::error_code ignored;  // it is no link
  return fs::read_symlink(path, ignored).native().starts_with("/proc/");
}

/// The folder, or the nearest one above it that is there.
fs::path nearest_there(fs::path folder) {
  std::error_code ignored;
  while (!fs::exists(fs::symlink_status(folder, ignored)) && folder != folder_of(folder)) {
    folder = folder_of(folder);
  }
  return folder;
}

/// Makes a file without a name, which is gone whatever becomes of us. False also where the file
/// system has no such files.
bool takes_unnamed_file(const fs::path& folder) {
  constexpr mode_t for_its_owner = 0600;
  const FileDescriptor file(
      ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, for_its_owner));
  return static_cast<bool>(file);
}

/// Tries, since permissions tell nothing of file systems that are full, read-only or none.
void require_files_in(const fs::path& folder, const fs::path& path, const std::string& name) {
  constexpr std::size_t surely_short = 200;  // also with what a temporary file appends
  std::error_code ignored;
  bool takes = fs::is_directory(folder, ignored);
  try {
    const bool is_sure = takes && name.size() <= surely_short && takes_unnamed_file(folder);
    if (takes && !is_sure) const TemporaryFile probe(folder / name);
  } catch (const OutputError&) {
    if (folder == folder_of(path) && name == path.filename()) throw;  // it says why
    takes = false;
  }
  if (takes) return;
  throw OutputError(cannot_write(path) + folder.string() + " is no folder that can be written");
}

/// Puts `where` before what the world has against it.
template <class Look>
void named(const std::string& where, Look look) {
  try {
    look();
  } catch (const OutputError& error) {
    throw OutputError(where + ": " + error.what());
  }
}

}  // namespace

void require_replaceable(const fs::path& path) {
  if (!path.has_filename()) throw OutputError(cannot_write(path) + "not a file name");
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENAMETOOLONG) unwritable(path, errno);
    return;
  }
  if (S_ISDIR(status.st_mode)) unwritable(path, EISDIR);
  if (!S_ISREG(status.st_mode) || names_open_file(path)) {
    throw OutputError(cannot_write(path) + "not a regular file");
  }
}

void require_file_place(const fs::path& path, const std::string& where, Above above) {
  if (!path.has_filename()) {
    throw InputError(where,
                     "expected the path of a file, got " + in_quotes(shortened(path.string())));
  }
  named(where, [&] {
    require_replaceable(path);
    const fs::path folder = folder_of(path);
    require_files_in(above == Above::made ? nearest_there(folder) : folder, path,
                     path.filename().string());
  });
}

void require_folder_place(const fs::path& folder, const std::string& where) {
  named(where, [&] { require_files_in(nearest_there(folder), folder, "output"); });
}

void require_new_folder_place(const fs::path& folder, const std::string& where) {
  const NewFolder can_be_made(folder, folder.string());
  named(where, [&] { require_files_in(nearest_there(folder_of(folder)), folder, "output"); });
}

}  // namespace cubicbench::support
