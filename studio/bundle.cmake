# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DNPM=.. -DSOURCE=studio -DWORK=.. -DPAGE=.. -P bundle.cmake: makes the page in WORK, so that nothing is written into the
# source tree.
file(REMOVE_RECURSE ${WORK}/src)
foreach(name src build.mjs package.json package-lock.json tsconfig.json .npmrc)
  file(COPY ${SOURCE}/${name} DESTINATION ${WORK})
endforeach()

# Packages are installed again only when the list of them has changed.
file(SHA256 ${SOURCE}/package-lock.json wanted)
set(stamp ${WORK}/node_modules/.vinculum-stamp)
set(installed "")
if(EXISTS ${stamp})
  file(READ ${stamp} installed)
endif()
if(NOT installed STREQUAL wanted)
  execute_process(COMMAND ${NPM} ci --ignore-scripts --loglevel=error --fetch-retries=1
                  WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE complaint)
  if(NOT result EQUAL 0)
    message(WARNING "The packages of the report page could not be installed, so reports will not be available:\n${complaint}"
                    "Everything else works. Run cmake again to make another attempt.")
    file(WRITE ${PAGE} "")
    return()
  endif()
  file(WRITE ${stamp} ${wanted})
endif()

# From here on a failure is a mistake in the page itself.
execute_process(COMMAND ${NPM} run --silent build -- ${PAGE} WORKING_DIRECTORY ${WORK} COMMAND_ERROR_IS_FATAL ANY)
