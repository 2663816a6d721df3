# cmake -DPROGRAM= -DDIGEST= -P digest_test.cmake
execute_process(COMMAND ${PROGRAM} list --digest OUTPUT_VARIABLE now RESULT_VARIABLE code)
file(READ ${DIGEST} kept)
if(NOT code EQUAL 0 OR NOT now STREQUAL kept)
  message(FATAL_ERROR "The suite does not ask what specs/digest.txt says. Where the change is meant:\n"
    "  reshape-conformance list --specs specs --digest > specs/digest.txt\nIt now asks:\n${now}")
endif()
