#pragma once

#include <filesystem>
#include <string>

struct stat;

namespace cubicbench::support {

// The files that a command reads and those that it was asked to write, so that none is both: the
// input would be lost. Of the process; may be used by several threads at once.

/// `path`, which is of this status, is read. Throws InputError where it is to be written.
void note_input(const std::filesystem::path& path, const struct stat& status);

/// `path` is to be written. Throws InputError at `where` where a file stands there that was read.
void note_output(const std::filesystem::path& path, const std::string& where);

/// A new command begins.
void forget_named_files();

}  // namespace cubicbench::support
