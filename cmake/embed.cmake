# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0

# embed_file(FILE NAME SOURCE): SOURCE defines `extern "C" const char NAME[]` with the bytes of FILE, whatever they are, and NAME_size.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(embed_script ${CMAKE_CURRENT_LIST_FILE})
  function(embed_file file name source)
    add_custom_command(OUTPUT ${source} COMMAND ${CMAKE_COMMAND} -DFILE=${file} -DNAME=${name} -DSOURCE=${source} -P ${embed_script}
                       DEPENDS ${file} ${embed_script} VERBATIM)
  endfunction()
  return()
endif()

file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
file(WRITE ${SOURCE} "#include <cstdint>\n"
  "extern \"C\" {\n"
  "extern const char ${NAME}[];\n"
  "extern const std::uint64_t ${NAME}_size;\n"
  "const char ${NAME}[] = \"${bytes}\";\n"
  "const std::uint64_t ${NAME}_size = sizeof ${NAME} - 1;\n"
  "}\n")
