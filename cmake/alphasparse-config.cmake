# alphasparse-config: the targets and functions of find_package(alphasparse).
#
#   alphasparse::alphasparse            the program, for custom commands
#   alphasparse_add_kernel(TARGET FILE) makes a kernel that tune or emit wrote - NAME.cpu.cpp, or
#                                       NAME.cu where the project has CUDA - part of a target:
#     its source, with the flags that it was timed with; NAME.h or NAME.cpu.h and
#     alphasparse_kernel.h on the target's include path; and for the target's own sources
#       ALPHASPARSE_FORMAT              "/the/format/file", to be loaded
#       ALPHASPARSE_INTERFACE           PREFIX_interface, the function that gives the kernel
#     Of several kernels in one target only the first defines these two. Unity builds compile each
#     kernel alone.
#     Of a kernel that tune or emit wrote with --runtime shared, the code in alphasparse_runtime.h is
#     compiled once for all kernels of the project: a static library for each version and target.

# This file lies in lib/cmake/alphasparse of an installation, or in a build folder.
find_program(ALPHASPARSE_PROGRAM_FOUND alphasparse NO_CACHE NO_DEFAULT_PATH
             PATHS "${CMAKE_CURRENT_LIST_DIR}" "${CMAKE_CURRENT_LIST_DIR}/../../../bin")
if(NOT ALPHASPARSE_PROGRAM_FOUND)
  set(alphasparse_FOUND FALSE)
  set(alphasparse_NOT_FOUND_MESSAGE "${CMAKE_CURRENT_LIST_DIR} has no program: tools/build release alphasparse makes it")
  return()
endif()
if(NOT TARGET alphasparse::alphasparse)
  add_executable(alphasparse::alphasparse IMPORTED)
  set_target_properties(alphasparse::alphasparse PROPERTIES IMPORTED_LOCATION "${ALPHASPARSE_PROGRAM_FOUND}")
endif()

# The definitions of a folder's alphasparse_runtime.h in a library, whose name goes into `result`.
function(_alphasparse_runtime folder language ending flags result)
  set(header "${folder}/alphasparse_runtime.h")
  if(NOT EXISTS "${header}")
    message(FATAL_ERROR "alphasparse_add_kernel: ${header} is not there: alphasparse tune or emit --runtime shared writes it beside the kernel")
  endif()
  file(STRINGS "${header}" version REGEX "^#define ALPHASPARSE_RUNTIME_VERSION " LIMIT_COUNT 1)
  if(NOT version MATCHES "VERSION ([0-9]+)$")
    message(FATAL_ERROR "alphasparse_add_kernel: ${header} names no version: write it anew")
  endif()
  string(TOLOWER "alphasparse_runtime_${CMAKE_MATCH_1}_${language}" name)
  set(${result} ${name} PARENT_SCOPE)
  if(TARGET ${name})
    return()
  endif()
  set(source "${CMAKE_BINARY_DIR}/${name}/alphasparse_runtime.${ending}")
  if(NOT EXISTS "${source}")
    set(text "#define ALPHASPARSE_RUNTIME_IMPLEMENTATION\n#include \"alphasparse_runtime.h\"\n")
    if(language STREQUAL "CUDA")
      string(PREPEND text "#define ALPHASPARSE_RUNTIME_CUDA\n")
    endif()
    file(WRITE "${source}" "${text}")
  endif()
  add_library(${name} STATIC "${source}")
  target_include_directories(${name} PRIVATE "${folder}")
  target_compile_options(${name} PRIVATE ${flags})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
endfunction()

function(alphasparse_add_kernel target file)
  get_filename_component(path "${file}" ABSOLUTE)
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "alphasparse_add_kernel: ${path} is not there: alphasparse tune or emit writes it")
  endif()
  foreach(place IN ITEMS "${path}" "${CMAKE_BINARY_DIR}")
    string(REGEX REPLACE "\\[[^][]*\\]" "" no_pairs "${place}")
    if(place MATCHES "[|;\"\\\n]|\\$<" OR no_pairs MATCHES "[][]" OR
       (place MATCHES "[:\t]" AND CMAKE_GENERATOR MATCHES "Makefiles"))
      message(FATAL_ERROR "alphasparse_add_kernel: CMake takes no path with | ; \" \\ $< a line's end, one [ or ] alone or, by make, : and tabs, but this is ${place}: rename it")
    endif()
  endforeach()
  get_filename_component(folder "${path}" DIRECTORY)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages)
    message(FATAL_ERROR "alphasparse_add_kernel: ${path} is C++, and so is its linking: project(... LANGUAGES C CXX)")
  endif()
  if(path MATCHES "\\.cpu\\.cpp$")
    string(REGEX REPLACE "\\.cpp$" "" stem "${path}")
    set(language CXX)
    find_package(OpenMP REQUIRED COMPONENTS CXX)
    set(flags "-std=c++17;-O3;-march=native;${OpenMP_CXX_FLAGS}")
    set_source_files_properties("${path}" TARGET_DIRECTORY ${target} PROPERTIES
        COMPILE_OPTIONS "${flags}")
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
  elseif(path MATCHES "\\.cu$")
    string(REGEX REPLACE "\\.cu$" "" stem "${path}")
    if(NOT CMAKE_CUDA_COMPILER)
      message(FATAL_ERROR "alphasparse_add_kernel: ${path} needs CUDA: project(... LANGUAGES CXX CUDA)")
    endif()
    set(language CUDA)
    set(flags "-std=c++17")
  else()
    message(FATAL_ERROR "alphasparse_add_kernel: ${path} is neither NAME.cpu.cpp nor NAME.cu")
  endif()
  if(NOT EXISTS "${stem}.safetensors")
    message(FATAL_ERROR "alphasparse_add_kernel: the format file ${stem}.safetensors is not beside ${path}")
  endif()
  file(STRINGS "${stem}.h" interface REGEX "_interface\\(void\\)" LIMIT_COUNT 1)
  if(NOT interface MATCHES "([A-Za-z0-9_]+_interface)\\(void\\)")
    message(FATAL_ERROR "alphasparse_add_kernel: ${stem}.h declares no interface: write it anew")
  endif()
  set(interface "${CMAKE_MATCH_1}")
  file(STRINGS "${path}" shares REGEX "^#include \"alphasparse_runtime.h\"" LIMIT_COUNT 1)
  if(shares)
    get_filename_component(ending "${path}" LAST_EXT)
    string(SUBSTRING "${ending}" 1 -1 ending)
    _alphasparse_runtime("${folder}" ${language} ${ending} "${flags}" runtime)
    set_property(SOURCE "${path}" TARGET_DIRECTORY ${target} APPEND PROPERTY
        COMPILE_DEFINITIONS ALPHASPARSE_RUNTIME_COMPILED)
    target_link_libraries(${target} PRIVATE ${runtime})
  endif()
  target_sources(${target} PRIVATE "${path}")
  set_source_files_properties("${path}" TARGET_DIRECTORY ${target} PROPERTIES
      SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(${target} PRIVATE "${folder}")
  get_target_property(kernels ${target} ALPHASPARSE_KERNELS)
  if(NOT kernels)
    # CMake drops definitions with a #, and two ? may begin a trigraph.
    string(REPLACE "#" "\\043" format "${stem}.safetensors")
    string(REPLACE "?" "\\077" format "${format}")
    target_compile_definitions(${target} PRIVATE
        ALPHASPARSE_FORMAT="${format}" ALPHASPARSE_INTERFACE=${interface})
    set(kernels "")
  endif()
  set_target_properties(${target} PROPERTIES ALPHASPARSE_KERNELS "${kernels};${path}")
endfunction()
