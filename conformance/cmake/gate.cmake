# reshape_conformance_gate(NAME <test>
#                          LIBRARY <target, path, or "child:<command line>">
#                          [DIALECT <dialect>...]     # default: all that the library declares
#                          [BASELINE <file>]          # of known failures
#                          [TIMEOUT <seconds>]        # default: 600
#                          [ARGS <argument>...])      # more arguments of reshape-conformance run
#
# Registers a CTest test, labelled `gate`, that runs the conformance suite on the library. It passes
# when the library conforms, or fails only as the baseline says. Reports are written beside the test:
# <test>.json and <test>.xml in the current binary folder.
function(reshape_conformance_gate)
  cmake_parse_arguments(GATE "" "NAME;LIBRARY;BASELINE;TIMEOUT" "DIALECT;ARGS" ${ARGN})
  if(NOT GATE_NAME OR NOT GATE_LIBRARY)
    message(FATAL_ERROR "reshape_conformance_gate needs NAME and LIBRARY")
  endif()
  if(GATE_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "reshape_conformance_gate does not know '${GATE_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT GATE_TIMEOUT)
    set(GATE_TIMEOUT 600)
  endif()
  if(GATE_LIBRARY MATCHES "^child:")
    set(library ${GATE_LIBRARY})
  elseif(TARGET ${GATE_LIBRARY})
    set(library $<TARGET_FILE:${GATE_LIBRARY}>)
  else()
    get_filename_component(library ${GATE_LIBRARY} ABSOLUTE)
  endif()
  set(arguments --implementation "${library}"
    --json ${CMAKE_CURRENT_BINARY_DIR}/${GATE_NAME}.json
    --junit ${CMAKE_CURRENT_BINARY_DIR}/${GATE_NAME}.xml)
  foreach(dialect IN LISTS GATE_DIALECT)
    list(APPEND arguments --dialect ${dialect})
  endforeach()
  if(GATE_BASELINE)
    get_filename_component(baseline ${GATE_BASELINE} ABSOLUTE)
    list(APPEND arguments --baseline ${baseline})
  endif()
  add_test(NAME ${GATE_NAME} COMMAND reshape-conformance::program run ${arguments} ${GATE_ARGS})
  set_tests_properties(${GATE_NAME} PROPERTIES TIMEOUT ${GATE_TIMEOUT} LABELS gate)
endfunction()
