# add_precompiled(NAME HEADER LIBRARY...): precompiles HEADER, which is in cmake/precompiled/, for targets that say
# use_precompiled(TARGET NAME) and compile with the requirements of the LIBRARIES. GCC reads such a header in a fifth of the
# time that its text takes.
#
# From a precompiled header GCC 12 inlines the standard library without knowing that it is not ours, and warns of copies that
# cannot be; dev, which precompiles nothing, and the sanitizers look for the real ones.
set(unlike_text $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)

function(add_precompiled name header)
  # A header is compiled with a source of its target: this one has nothing else.
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/precompiled/${name}.cc CONTENT "")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/generated/precompiled/${name}.cc)
  keep_same_bits(${name} PRIVATE)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:strict> ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE ${unlike_text})
  target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled/${header})
endfunction()

function(use_precompiled target name)
  target_compile_options(${target} PRIVATE ${unlike_text})
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()
