#include "support/streamed_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "support/input_error.h"

namespace cubicbench::support {
namespace {

[[noreturn]] void unwritable(const std::filesystem::path& path, const std::string& why) {
  throw OutputError("cannot write " + path.string() + ": " + why);
}

[[noreturn]] void unwritable(const std::filesystem::path& path) {
  unwritable(path, std::generic_category().message(errno));
}

}  // namespace

StreamedFile::StreamedFile(std::filesystem::path path)
    : path_(std::move(path)), temporary_(path_.string() + ".tmp") {
  std::error_code ignored;
  if (std::filesystem::exists(path_, ignored) &&
      !std::filesystem::is_regular_file(path_, ignored)) {
    unwritable(path_, "not a regular file");
  }
  file_ = FileDescriptor(
      ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t{0666}));
  if (!file_) unwritable(path_);
}

StreamedFile::~StreamedFile() {
  if (!kept_) ::unlink(temporary_.c_str());
}

void StreamedFile::add(std::string_view piece) {
  if (!write_all(file_.get(), piece)) unwritable(path_);
  hash_.add(piece);
  bytes_ += piece.size();
}

void StreamedFile::keep() {
  if (::fsync(file_.get()) != 0 || !file_.close()) unwritable(path_);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) unwritable(path_);
  kept_ = true;
}

}  // namespace cubicbench::support
