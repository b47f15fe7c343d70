# Included when the program is installed: PROGRAM writes its manual pages to the folder MANUAL, and what makes shells complete
# its command line to the files BASH, ZSH and FISH.
function(run_or_stop)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(shell BASH ZSH FISH)
  get_filename_component(folder ${${shell}} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  string(TOLOWER ${shell} name)
  message(STATUS "Installing: ${${shell}}")
  run_or_stop(${PROGRAM} completion ${name} OUTPUT_FILE ${${shell}})
endforeach()
message(STATUS "Installing: ${MANUAL}/cubicbench*.1.gz")
run_or_stop(${CMAKE_CURRENT_LIST_DIR}/manual_pages.sh ${PROGRAM} ${MANUAL})
