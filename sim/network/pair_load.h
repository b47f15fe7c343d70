#pragma once

#include <cstdint>
#include <span>

#include "sim/network/router.h"

namespace cubicbench::sim {

/// Adds what is carried between domains while every one of `gpus` sends `bytes` to each of them
/// that lies in another domain. Counted for each block of the fabric, in as many steps as there are
/// GPUs and blocks, not pairs; the sum of Router::spread() over all pairs. Members of a domain
/// follow on one another.
void add_pairs_between_domains(const Router& router, std::span<const std::int64_t> gpus,
                               double bytes, BundleLoads& loads);

/// Adds what is carried while the switches of the fabric add up `bytes` of each of `gpus` and send
/// back as much, member i of one domain to member i of the others: adapters pass all of it, links
/// above a switch or block the sum of each i once.
void add_reduction_in_fabric(const Router& router, std::span<const std::int64_t> gpus, double bytes,
                             BundleLoads& loads);

}  // namespace cubicbench::sim
