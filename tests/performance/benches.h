#pragma once

namespace cubicbench {

/// Each adds its benchmarks, one a scenario of the library or more. They throw InputError when a
/// scenario cannot be read.
void register_random_configurations();
void register_enumerated_configurations();
void register_searchers();
void register_launches();
void register_search_costs();
void register_predictors();
void register_validation();
void register_network();
void register_event_engine();
void register_event_steps();

}  // namespace cubicbench
