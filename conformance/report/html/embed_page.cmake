# Makes one page of the files of this folder and of the libraries, as C++:
#   cmake -DFOLDER=... -DOUTPUT=page.cpp -DJQUERY=... -DDATATABLES=... -P embed_page.cmake
# JQUERY and DATATABLES are empty where they are not installed; the page then says so.
#
# The page's policy lets the browser run these scripts, known by their hashes, and no other, and fetch nothing.
cmake_minimum_required(VERSION 3.22)

# A hash in hexadecimal digits, as browsers want it: in base 64.
function(to_base64 hexadecimal result)
  set(digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text "")
  string(LENGTH "${hexadecimal}" length)
  math(EXPR last "${length} - 1")
  foreach(at RANGE 0 ${last} 6)
    string(SUBSTRING "${hexadecimal}" ${at} 6 piece)
    string(LENGTH "${piece}" given)
    string(SUBSTRING "${piece}000000" 0 6 piece)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${piece} >> ${shift}) & 63")
      string(SUBSTRING "${digits}" ${digit} 1 digit)
      string(APPEND text "${digit}")
    endforeach()
    if(given EQUAL 4)
      string(REGEX REPLACE ".$" "=" text "${text}")
    elseif(given EQUAL 2)
      string(REGEX REPLACE "..$" "==" text "${text}")
    endif()
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(policy "")
set(elements "")
# Adds a script element and lets it run. (A macro would read the script as CMake's own text.)
function(add_script text)
  string(REPLACE "\r" "" script "${text}")
  if(script MATCHES "</script|<!--")
    message(FATAL_ERROR "a script of the page holds the end of its own element")
  endif()
  string(SHA256 hash "${script}")
  to_base64(${hash} hash)
  string(APPEND policy " 'sha256-${hash}'")
  string(APPEND elements "<script>${script}</script>\n")
  set(policy "${policy}" PARENT_SCOPE)
  set(elements "${elements}" PARENT_SCOPE)
endfunction()

if(JQUERY AND DATATABLES)
  file(READ ${JQUERY} jquery)
  file(READ ${DATATABLES} datatables)
  add_script("${jquery}")
  # The packed file has lost its notice.
  add_script("/*! DataTables (c) SpryMedia Ltd | MIT licence | datatables.net/license */\n${datatables}")
endif()
set(own "'use strict';\n")
foreach(part elements picture case summary failures clauses performance cases page)
  file(READ ${FOLDER}/${part}.js script)
  string(APPEND own "${script}")
endforeach()
add_script("${own}")

file(READ ${FOLDER}/page.html page)
file(READ ${FOLDER}/page.css style)
string(REPLACE "@POLICY@" "${policy}" page "${page}")
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPTS@" "${elements}" page "${page}")
string(FIND "${page}" "@REPORT@" middle)
string(SUBSTRING "${page}" 0 ${middle} before)
string(LENGTH "@REPORT@" length)
math(EXPR middle "${middle} + ${length}")
string(SUBSTRING "${page}" ${middle} -1 after)
file(WRITE ${OUTPUT} "// Generated from conformance/report/html by embed_page.cmake.
#include <string_view>

namespace reshape::conformance {

extern const std::string_view kPageBeforeData, kPageAfterData;
const std::string_view kPageBeforeData = R\"reshape_page(${before})reshape_page\";
const std::string_view kPageAfterData = R\"reshape_page(${after})reshape_page\";

}  // namespace reshape::conformance
")
