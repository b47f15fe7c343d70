// What most sources of the page include, compiled once.
#pragma once

#include "web/standard_gaps.h"
//
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "document.h"
