# Writes a source that says which commit is being built, anew only where it says something else:
#   cmake -D SOURCE=<folder> -D OUTPUT=<file> -P this
execute_process(COMMAND git -C ${SOURCE} rev-parse HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")
else()
  execute_process(COMMAND git -C ${SOURCE} diff --quiet HEAD RESULT_VARIABLE changed ERROR_QUIET)
  if(changed)
    string(APPEND commit " with changes")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
namespace reshape::conformance {

const char* program_commit();
const char* program_commit() { return "@commit@"; }

}  // namespace reshape::conformance
]] @ONLY)
