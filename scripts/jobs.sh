#!/usr/bin/env bash
# Prints how many compilers to run at once: one a core, but no more than memory holds at 0.8 GiB each.
set -euo pipefail
cores=$(nproc)
available_kib=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
by_memory=$((available_kib / (800 * 1024)))
jobs=$((by_memory < cores ? by_memory : cores))
echo $((jobs > 0 ? jobs : 1))
