#pragma once

#include "tests/fuzz/target.h"

namespace cubicbench::fuzz {

Target answer_target();
Target client_target();
Target command_target();
Target conditions_target();
Target enumeration_target();
Target journal_target();
Target json_target();
Target logs_target();
Target mcp_target();
Target measurements_target();
Target override_target();
Target plan_target();
Target requirement_target();
Target scenario_target();
Target serve_target();
Target table_target();

}  // namespace cubicbench::fuzz
