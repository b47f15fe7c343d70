#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace cubicbench::cli {

/// What `dataset VERB` prints. All throw InputError.
std::string dataset_generate(const CLI::App& app);
std::string dataset_describe(const CLI::App& app);
std::string dataset_split(const CLI::App& app);
std::string dataset_import(const CLI::App& app);

/// The only argument after the verb. Throws InputError, `expected EXPECTED`, where there is none.
std::string dataset_argument(const CLI::App& app, const std::string& expected);

/// The value of --out as the name of a CSV file. Throws InputError.
std::filesystem::path csv_out_of(const CLI::App& app);

/// Makes the folder, and those above it; nothing for "". Throws OutputError.
void make_folder(const std::filesystem::path& folder);

/// `"TEXT"`, as messages show what was typed.
std::string in_quotes(std::string_view text);

/// "1 study", "1,200 studies".
std::string count_text(std::size_t count, const char* one, const char* many);

}  // namespace cubicbench::cli
