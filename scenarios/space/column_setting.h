#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scenarios/space/setting.h"

namespace cubicbench::scenarios {

/// A knob of a table of trials: a column that is called what it is, whose values are numbers, or
/// names. It is no part of a plan, so nothing can apply it or read it, and no constraint knows it.
/// Two columns of one name are two settings: find those of a space by find_setting(space, name).
///
/// Each list is ascending and without duplicates, and not empty. Numbers are finite.
std::shared_ptr<const Setting> column_setting(std::string name, std::vector<double> numbers);
std::shared_ptr<const Setting> column_setting(std::string name, std::vector<std::string> names);

}  // namespace cubicbench::scenarios
