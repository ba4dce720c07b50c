# embed: writes the files FILES (relative to ROOT) as string literals, one a line of text, into OUTPUT:
# the C++ function FUNCTION, which a header declares, gives them all. embed() has it done in a build.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(embed FUNCTION OUTPUT)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${ARGN})
    list(TRANSFORM files PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
    add_custom_command(
      OUTPUT ${OUTPUT}
      COMMAND ${CMAKE_COMMAND} -DOUTPUT=${OUTPUT} -DROOT=${CMAKE_CURRENT_SOURCE_DIR}
              -DFUNCTION=${FUNCTION} "-DFILES=${files}" -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
      DEPENDS ${paths} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
      COMMENT "Embedding ${FUNCTION}" VERBATIM)
  endfunction()
  return()
endif()
set(text "// Made by cmake/embed.cmake.\n#include \"templates/templates.h\"\n\n")
string(APPEND text "namespace alphasparse {\n")
string(APPEND text "const std::vector<Template>& ${FUNCTION}();\n")
string(APPEND text "const std::vector<Template>& ${FUNCTION}() {\n")
string(APPEND text "  static const std::vector<Template> all = {\n")
foreach(name IN LISTS FILES)
  file(READ "${ROOT}/${name}" body)
  string(REPLACE "\\" "\\\\" body "${body}")
  string(REPLACE "\"" "\\\"" body "${body}")
  string(REPLACE "\n" "\\n\"\n         \"" body "${body}")
  string(APPEND text "      {\"${name}\",\n         \"${body}\"},\n")
endforeach()
string(APPEND text "  };\n  return all;\n}\n}  // namespace alphasparse\n")
file(WRITE "${OUTPUT}" "${text}")
