# install: what find_package(alphasparse) finds; bin/alphasparse, the emulator, what a GPU is tried with (bin/alphasparse-gpu-suite and its
# parts), what a cluster is used with (bin/alphasparse-slurm-tune), the shared libraries that none
# of them finds on every Linux, the example matrices and the documents; and CPack's archive of
# these. What is installed finds its own files relative to itself, so the folder may lie anywhere.
#
# The run path is the old kind (DT_RPATH): it also holds for the libraries that libraries need.
set_target_properties(alphasparse PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/alphasparse")
set(libexec_programs alphasparse-emulator bench_suite compare_model gpu_designs_test gpu_planted_fault)
set_target_properties(${libexec_programs} PROPERTIES INSTALL_RPATH "$ORIGIN/../../lib/alphasparse")
foreach(program alphasparse ${libexec_programs})
  target_link_options(${program} PRIVATE -Wl,--disable-new-dtags)
endforeach()

install(TARGETS alphasparse RUNTIME_DEPENDENCY_SET shared_libraries RUNTIME DESTINATION bin)
install(TARGETS ${libexec_programs} RUNTIME_DEPENDENCY_SET shared_libraries
        RUNTIME DESTINATION libexec/alphasparse)
# The C library is every Linux' own, and must fit its loader.
install(RUNTIME_DEPENDENCY_SET shared_libraries
        PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread)\\.so"
        LIBRARY DESTINATION lib/alphasparse)
install(PROGRAMS tools/gpu_suite DESTINATION bin RENAME alphasparse-gpu-suite)
install(PROGRAMS tools/slurm_tune DESTINATION bin RENAME alphasparse-slurm-tune)
install(PROGRAMS tools/sanitized tools/suite/model_agreement.py DESTINATION libexec/alphasparse)
install(FILES tools/suite/gpu_model.py tools/suite/measured_json.py DESTINATION libexec/alphasparse)
install(DIRECTORY examples DESTINATION share/alphasparse USE_SOURCE_PERMISSIONS)
install(FILES cmake/alphasparse-config.cmake DESTINATION lib/cmake/alphasparse)
install(FILES README.md ARCHITECTURE.md LICENSE DESTINATION share/doc/alphasparse)
# What the program says of itself, as shells and man look for it; after the libraries that it needs.
install(CODE "set(PREFIX \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")")
install(SCRIPT cmake/manual.cmake)
install(DIRECTORY docs DESTINATION share/doc/alphasparse)

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_FILE_NAME "alphasparse-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
