# Run by CTest with cmake -P: BUILD, WORK, CONSUMER, EXAMPLE are given.
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code)
  if(code)
    list(JOIN ARGN " " words)
    message(FATAL_ERROR "exit code ${code}: ${words}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
step(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G Ninja
  -D CMAKE_PREFIX_PATH=${WORK}/prefix -D EXAMPLE=${EXAMPLE})
step(${CMAKE_COMMAND} --build ${WORK}/build)
step(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build --output-on-failure --no-tests=error)
