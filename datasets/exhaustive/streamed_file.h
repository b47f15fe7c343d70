#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "scenarios/file_descriptor.h"
#include "scenarios/sha256.h"

namespace cubicbench::datasets {

/// A file that is written piece by piece and appears under its name when it is complete: what
/// scenarios::write_file_atomic() does with a text that memory need not hold. Functions throw
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
  scenarios::FileDescriptor file_;
  scenarios::Sha256 hash_;
  std::uint64_t bytes_ = 0;
  bool kept_ = false;
};

}  // namespace cubicbench::datasets
