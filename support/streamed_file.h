#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "support/file_descriptor.h"
#include "support/sha256.h"

namespace cubicbench::support {

/// A file that is written piece by piece and appears under its name when it is complete: what
/// write_file_atomic() does with a text that memory need not hold. Functions throw
/// OutputError; what was not kept is removed.
class StreamedFile {
 public:
  explicit StreamedFile(std::filesystem::path path);
  StreamedFile(const StreamedFile&) = delete;
  StreamedFile& operator=(const StreamedFile&) = delete;
  ~StreamedFile();

  void add(std::string_view piece);
  /// Gives the file its name.
  void keep();

  std::uint64_t bytes() const { return bytes_; }
  /// SHA-256 of what was added.
  std::string sha256() const { return hash_.hex(); }

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  FileDescriptor file_;
  Sha256 hash_;
  std::uint64_t bytes_ = 0;
  bool kept_ = false;
};

}  // namespace cubicbench::support
