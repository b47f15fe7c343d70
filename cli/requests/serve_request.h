#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/options/shared_options.h"
#include "cli/requests/search_request.h"

namespace cubicbench::cli {

/// What the command line of `serve` asks for.
struct ServeRequest {
  SearchRequest search;             ///< a plan of one seed, whose searcher is outside
  std::optional<std::string> name;  ///< of what drives it
  bool mcp = false;
  bool reveal = false;
  GlobalOptions global;
};

void declare_serve(Options& options, ServeRequest& request);

}  // namespace cubicbench::cli
