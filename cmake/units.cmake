# compile_by_folder(TARGET SOURCE...): with CUBICBENCH_BY_FOLDER the SOURCES of a folder are one unit of compilation. Most of what a
# source costs is to read what they all include and to instantiate it, which is done once a folder then: the program takes a third of
# the time. Sources of a unit share one unnamed namespace, so in a folder no two of them give one name to different things.
option(CUBICBENCH_BY_FOLDER "Compile the sources of a folder as one; dev compiles each alone" OFF)

# Each source alone, where all are rows of one kind that name their parts alike,
set(folders_compiled_alone sim/network/algorithms)
# and where steps are evaluated: GCC inlines less in a unit, and DeepSeek-V3 takes a quarter more time.
list(APPEND folders_compiled_alone sim/engine sim/memory sim/plan sim/program)
# Tests of these say "plan_of" and "scenario" each for its own:
list(APPEND folders_compiled_alone tests tests/datasets/problem tests/integration tests/scenarios/evaluation
     tests/scenarios/readers tests/scenarios/space tests/search/backends tests/search/folder tests/search/searchers tests/sim
     tests/sim/engine tests/sim/engine/event tests/sim/network tests/sim/program)

function(compile_by_folder target)
  if(NOT CUBICBENCH_BY_FOLDER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    if(NOT folder IN_LIST folders_compiled_alone)
      string(REPLACE / _ unit ${folder})
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit})
    endif()
  endforeach()
endfunction()
