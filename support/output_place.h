#pragma once

#include <filesystem>
#include <string>

namespace cubicbench::support {

// Checks made before the work that an output can be written. Messages name the option, the path and
// the reason.

/// What is to be with the folder of a file that is not there.
enum class Above { required, made };

/// Throws InputError at `where` for what is no name of a file, OutputError where none can be
/// written.
void require_file_place(const std::filesystem::path& path, const std::string& where, Above above);

/// The same of a folder, which is made with those above it unless it is there.
void require_folder_place(const std::filesystem::path& folder, const std::string& where);

/// The same of a NewFolder, which is made beside it and renamed.
void require_new_folder_place(const std::filesystem::path& folder, const std::string& where);

/// Throws OutputError, `cannot write PATH: REASON`, where no file can take that name: a folder has
/// it, a device or a pipe, or it names an open file, as /dev/stdout does.
void require_replaceable(const std::filesystem::path& path);

}  // namespace cubicbench::support
