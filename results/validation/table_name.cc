#include "results/validation/table_name.h"

namespace cubicbench::results {

TableName table_name(std::string_view file, std::string_view stem) {
  const std::string_view name = file.substr(file.find_last_of('/') + 1);
  const bool has_extension = name.find('.') != std::string_view::npos;
  return {.source = std::string(stem), .file = std::string(name) + (has_extension ? "" : ".csv")};
}

}  // namespace cubicbench::results
