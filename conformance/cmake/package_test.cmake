# Run by CTest with cmake -P: BUILD, WORK, CONSUMER, EXAMPLE are given.
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code)
  if(code)
    list(JOIN ARGN " " words)
    message(FATAL_ERROR "exit code ${code}: ${words}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
# Whoever installs may let nobody else into what he makes; what is installed is for all.
step(sh -c "umask 077 && '${CMAKE_COMMAND}' --install '${BUILD}' --prefix '${WORK}/prefix'")
execute_process(COMMAND find ${WORK}
    -type d -not -perm -005 OUTPUT_VARIABLE closed COMMAND_ERROR_IS_FATAL ANY)
if(closed)
  message(FATAL_ERROR "nobody else can enter:\n${closed}")
endif()
step(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G Ninja
  -D CMAKE_PREFIX_PATH=${WORK}/prefix -D EXAMPLE=${EXAMPLE})
step(${CMAKE_COMMAND} --build ${WORK}/build)
step(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build --output-on-failure --no-tests=error)
