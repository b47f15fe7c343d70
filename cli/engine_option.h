#pragma once

namespace CLI {
class App;
}

namespace cubicbench::cli {

/// Adds --engine, and those options of the event engine that are refused until there is one.
void declare_engine(CLI::App& app);

/// Throws InputError unless the engine that is asked for is there.
void check_engine(const CLI::App& app);

}  // namespace cubicbench::cli
