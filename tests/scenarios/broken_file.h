#pragma once

#include <string>
#include <vector>

namespace cubicbench::scenarios {

/// A path in a folder of this process, which is gone when it ends.
std::string in_test_folder(const std::string& name);

/// Puts a file of this name there.
void write(const std::string& name, const std::string& content);

/// What reading says, with the folder of test files left out; "" when nothing is wrong.
std::string message_of(const std::string& name, const std::vector<std::string>& sets = {});

/// Path of a scenario that only tests read.
std::string test_scenario(const std::string& name);

/// Of the library or of the tests.
std::string scenario_text(const std::string& name);

/// What reading the scenario `base` says after `pointer` was given `value`; null removes it. The
/// file stays in the test folder as s.json.
std::string message_after(const char* base, const char* pointer, const char* value);

}  // namespace cubicbench::scenarios
