#include "support/folders.h"

#include <unistd.h>

#include <system_error>

#include "support/input_error.h"

namespace cubicbench::support {

namespace fs = std::filesystem;

void make_folders(const std::filesystem::path& folder) {
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) {
    throw OutputError("cannot write " + folder.string() + ": " +
                      std::generic_category().message(error.value()));
  }
}

std::set<std::string> names_in(const std::filesystem::path& folder, const std::string& where,
                               const std::string& expected) {
  std::error_code error;
  std::set<std::string> names;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.insert(it->path().filename().string());
  }
  if (error == std::errc::not_a_directory) {
    std::error_code ignored;
    throw InputError(where, "expected " + expected + ", got " +
                                (fs::exists(folder, ignored) ? "a file" : "a path through a file"));
  }
  return names;  // a folder that cannot be read cannot be written either, which is said then
}

void require_new_folder(const fs::path& folder, const std::string& where) {
  constexpr const char* new_or_empty = "a new or empty folder";
  const std::set<std::string> names = names_in(folder, where, new_or_empty);
  if (!names.empty()) {
    throw InputError(where, std::string("expected ") + new_or_empty + ", got one with \"" +
                                shortened(*names.begin()) + "\"");
  }
}

void require_writable_file(const std::string& path, const std::string& where) {
  if (path.empty() || !fs::path(path).has_filename()) {
    throw InputError(where, "expected the path of a file, got \"" + shortened(path) + "\"");
  }
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : ".";
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw OutputError("cannot write " + path + ": it is a folder");
  }
  if (!fs::is_directory(folder, ignored) || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw OutputError("cannot write " + path + ": " + folder.string() +
                      " is no folder that can be written");
  }
}

}  // namespace cubicbench::support
