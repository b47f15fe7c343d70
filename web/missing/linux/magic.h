#pragma once

// Of the kernel's header what support/output_place.cc asks; emscripten has none.
#define PROC_SUPER_MAGIC 0x9fa0
