# alphasparse-config: the targets and functions of find_package(alphasparse).
#
#   alphasparse::alphasparse            the program, for custom commands
#   alphasparse_add_kernel(TARGET FILE) makes a kernel that tune or emit wrote - NAME.cpu.cpp, or
#                                       NAME.cu where the project has CUDA - part of a target:
#     its source, with the flags that it was timed with; NAME.h or NAME.cpu.h and
#     alphasparse_kernel.h on the target's include path; and for the target's own sources
#       ALPHASPARSE_FORMAT              "/the/format/file", to be loaded
#       ALPHASPARSE_INTERFACE           PREFIX_interface, the function that gives the kernel
#     Of several kernels in one target only the first defines these two.
if(NOT TARGET alphasparse::alphasparse)
  get_filename_component(_alphasparse_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  add_executable(alphasparse::alphasparse IMPORTED)
  set_target_properties(alphasparse::alphasparse PROPERTIES
      IMPORTED_LOCATION "${_alphasparse_prefix}/bin/alphasparse")
endif()

function(alphasparse_add_kernel target file)
  get_filename_component(path "${file}" ABSOLUTE)
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "alphasparse_add_kernel: ${path} is not there: alphasparse tune or emit writes it")
  endif()
  get_filename_component(folder "${path}" DIRECTORY)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages)
    message(FATAL_ERROR "alphasparse_add_kernel: ${path} is C++, and so is its linking: project(... LANGUAGES C CXX)")
  endif()
  if(path MATCHES "\\.cpu\\.cpp$")
    string(REGEX REPLACE "\\.cpp$" "" stem "${path}")
    find_package(OpenMP REQUIRED COMPONENTS CXX)
    set_source_files_properties("${path}" PROPERTIES
        COMPILE_OPTIONS "-std=c++17;-O3;-march=native;${OpenMP_CXX_FLAGS}")
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
  elseif(path MATCHES "\\.cu$")
    string(REGEX REPLACE "\\.cu$" "" stem "${path}")
    if(NOT CMAKE_CUDA_COMPILER)
      message(FATAL_ERROR "alphasparse_add_kernel: ${path} needs CUDA: project(... LANGUAGES CXX CUDA)")
    endif()
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
  target_sources(${target} PRIVATE "${path}")
  target_include_directories(${target} PRIVATE "${folder}")
  get_target_property(kernels ${target} ALPHASPARSE_KERNELS)
  if(NOT kernels)
    target_compile_definitions(${target} PRIVATE
        ALPHASPARSE_FORMAT="${stem}.safetensors" ALPHASPARSE_INTERFACE=${interface})
    set(kernels "")
  endif()
  set_target_properties(${target} PROPERTIES ALPHASPARSE_KERNELS "${kernels};${path}")
endfunction()
