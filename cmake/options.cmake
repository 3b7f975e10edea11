# Flags that apply to everything built here and to nothing that a consumer builds.
option(LOOPCERT_NATIVE "use every instruction of this machine (-march=native)" OFF)
option(LOOPCERT_WERROR "treat warnings as errors" OFF)
option(LOOPCERT_UNITY "compile several files at a time (cmake/unity.cmake)" OFF)
option(LOOPCERT_TESTS "define the tests (target: tests)" ${PROJECT_IS_TOP_LEVEL})
option(LOOPCERT_FUZZ "define the fuzz programs (target: fuzzers; clang only)" OFF)
option(LOOPCERT_BINDINGS "build the Python package (build/python)" ${PROJECT_IS_TOP_LEVEL})
# Another python3 may come first on PATH, without NumPy.
set(LOOPCERT_PYTHON /usr/bin/python3 CACHE FILEPATH "the Python of the package and of the tests")
set(LOOPCERT_SANITIZE "" CACHE STRING "sanitizers, as in -fsanitize=")
option(LOOPCERT_COVERAGE "count lines and branches as they run (clang only)" OFF)

add_compile_options(-Wall -Wextra -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # False alarms of GCC 12: inside its own AVX-512 headers, and on "text" + std::string.
  add_compile_options(-Wno-maybe-uninitialized -Wno-uninitialized -Wno-restrict)
endif()
if(LOOPCERT_WERROR)
  add_compile_options(-Werror)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/native.cmake)
if(LOOPCERT_NATIVE)
  add_compile_options(-march=native)
endif()
if(LOOPCERT_SANITIZE)
  add_compile_options(-fsanitize=${LOOPCERT_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${LOOPCERT_SANITIZE})
endif()
if(LOOPCERT_COVERAGE)
  # Atomic: outcomes are differences of counts, and one that two threads lose makes them vanish.
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic
                      -fprofile-list=${CMAKE_CURRENT_LIST_DIR}/coverage_files.txt)
  add_link_options(-fprofile-instr-generate)
endif()
