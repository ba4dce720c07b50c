# install: the files of an installation, and CPack's archive of these. They are the package that
# find_package(alphasparse) finds, bin/alphasparse, the emulator, the script for a cluster
# (bin/alphasparse-slurm-tune), the shared libraries that not every Linux has, the example matrices
# and the documents. The component suite is the script that tries a GPU (bin/alphasparse-gpu-suite)
# and its parts: only the archive, and an installation that names it, have them, for tools/demo does
# not build them. Installed programs find their files relative to themselves, so the folder may lie
# anywhere.
#
# The run path is the old kind (DT_RPATH): it also holds for the libraries that libraries need. CMake
# would give the build folder's programs one with empty entries, to fill up the room for the installed
# one, and an empty entry is the current folder, where anybody's library may lie. So they have an entry
# as long, of a folder below their own that does not exist, and installing changes it.
# tests/run_paths.py looks for such entries.
set(libexec_programs bench_suite kernel_facts gpu_designs_test gpu_planted_fault)
set(of_program COMPONENT program)
set(of_suite COMPONENT suite EXCLUDE_FROM_ALL)
function(install_programs component folder run_path)
  install(TARGETS ${ARGN} RUNTIME_DEPENDENCY_SET ${component}_libraries
          RUNTIME DESTINATION ${folder} ${of_${component}})
  string(REPLACE "/.." "/no" unused "${run_path}")
  set_target_properties(${ARGN} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${unused}")
  foreach(program ${ARGN})
    target_link_options(${program} PRIVATE -Wl,--disable-new-dtags)
    install(CODE "file(RPATH_CHANGE FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/${program}\"
                  OLD_RPATH [[${unused}]] NEW_RPATH [[${run_path}]])" ${of_${component}})
  endforeach()
endfunction()
# The component program holds the files of a wheel (tools/wheel).
install_programs(program bin "$ORIGIN/../lib/alphasparse" alphasparse)
install_programs(program libexec/alphasparse "$ORIGIN/../../lib/alphasparse" alphasparse-emulator)
install_programs(suite libexec/alphasparse "$ORIGIN/../../lib/alphasparse" ${libexec_programs})
# The C library is every Linux' own, and must fit its loader.
foreach(component program suite)
  install(RUNTIME_DEPENDENCY_SET ${component}_libraries
          PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread)\\.so"
          LIBRARY DESTINATION lib/alphasparse ${of_${component}})
endforeach()
install(FILES templates/host/alphasparse_kernel.h DESTINATION include COMPONENT program)
install(PROGRAMS tools/slurm_tune DESTINATION bin RENAME alphasparse-slurm-tune)
install(PROGRAMS tools/gpu_suite DESTINATION bin ${of_suite} RENAME alphasparse-gpu-suite)
install(PROGRAMS tools/hip_suite DESTINATION bin ${of_suite} RENAME alphasparse-hip-suite)
install(PROGRAMS tools/sanitized DESTINATION libexec/alphasparse ${of_suite})
install(PROGRAMS tools/comparison/compare_model.py DESTINATION libexec/alphasparse ${of_suite} RENAME compare_model)
file(GLOB modules CONFIGURE_DEPENDS tools/comparison/*.py)
list(FILTER modules EXCLUDE REGEX "compare_model")
install(FILES ${modules} DESTINATION libexec/alphasparse ${of_suite})
install(DIRECTORY examples DESTINATION share/alphasparse USE_SOURCE_PERMISSIONS)
set(ALPHASPARSE_PACKAGE_MATRICES "" CACHE PATH
    "A folder of Matrix Market files that the archive brings along for bin/alphasparse-gpu-suite")
if(ALPHASPARSE_PACKAGE_MATRICES)
  if(NOT IS_DIRECTORY "${ALPHASPARSE_PACKAGE_MATRICES}")
    message(FATAL_ERROR "ALPHASPARSE_PACKAGE_MATRICES: ${ALPHASPARSE_PACKAGE_MATRICES} is no folder")
  endif()
  install(DIRECTORY "${ALPHASPARSE_PACKAGE_MATRICES}/" DESTINATION share/alphasparse/matrices
          ${of_suite} FILES_MATCHING PATTERN "*.mtx" PATTERN "*.mtx.gz")
endif()
install(FILES cmake/alphasparse-config.cmake DESTINATION lib/cmake/alphasparse COMPONENT program)
configure_file(cmake/alphasparse-config.cmake ${PROJECT_BINARY_DIR} COPYONLY)  # find_package takes this folder too
install(FILES README.md ARCHITECTURE.md SECURITY.md LICENSE DESTINATION share/doc/alphasparse)
if(LIBARCHIVE_LICENCE)
  install(FILES ${LIBARCHIVE_LICENCE} DESTINATION share/doc/alphasparse RENAME LICENSE.libarchive)
endif()
# The program's completion and manual page, in the places of shells and man; after the libraries
# that it needs.
install(CODE "set(PREFIX \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")")
install(SCRIPT cmake/manual.cmake)
install(DIRECTORY docs DESTINATION share/doc/alphasparse)

set(CPACK_GENERATOR TGZ)
set(CPACK_INSTALL_CMAKE_PROJECTS "")
foreach(component IN ITEMS ALL suite)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${PROJECT_BINARY_DIR} alphasparse ${component} /)
endforeach()
set(CPACK_PACKAGE_FILE_NAME "alphasparse-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
