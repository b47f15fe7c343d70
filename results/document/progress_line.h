#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace cubicbench::results {

/// The line of a progress bar: "██████      1,234/3,000 launches, 512/s, 3 s left", at most
/// `columns` wide. `of` is what is counted: "launches", "fits of fig2b (2/8)". `rate_per_s` is
/// absent while it is not known yet.
std::string progress_line(std::int64_t done, std::int64_t total, std::optional<double> rate_per_s,
                          int columns, const std::string& of = "launches");

/// "3 s", "2 min 5 s", "1 h 20 min": what is left, rounded up to a second.
std::string time_left(double seconds);

}  // namespace cubicbench::results
