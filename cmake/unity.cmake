# What a first build costs is reading headers and making templates, not optimizing. With LOOPCERT_UNITY
# (the release presets) that is done less often; without it each file is compiled alone, as it stands.

# loopcert_unity(<target> [EIGEN]): compiles the files of the target eight at a time. Files of a registry,
# one for each kind, method, ..., use the same few names inside and are compiled alone.
#   EIGEN  its sources use matrices: take Eigen's kernels from where they are compiled once
function(loopcert_unity target)
  cmake_parse_arguments(ARG "EIGEN" "" "" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${LOOPCERT_UNITY}
                        UNITY_BUILD_BATCH_SIZE 8)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "/((envelope|fixed|form|inspect|kind|method|plot|tail)_[a-z_]+|limits/limits_[a-z_]+|coverage_premises)\\.cpp$")
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  if(LOOPCERT_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # A class that a .cpp file keeps to itself looks to GCC as if it came from a header, and its names
    # as if they were shadowed in the next file.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage -Wno-shadow)
  endif()
  if(ARG_EIGEN)
    loopcert_eigen_once(${target})
  endif()
endfunction()

# loopcert_eigen_once(<target>): see src/core/eigen_once.hpp.
function(loopcert_eigen_once target)
  if(LOOPCERT_UNITY AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE
      "SHELL:-include core/eigen_once.hpp")
  endif()
endfunction()

# loopcert_headers(<target>): the headers that nearly every file reads are read once, with products of
# matrices that are calls instead of templates (src/core/plain_products.hpp). Not for files whose time
# goes into products of small matrices: a call allocates its result.
function(loopcert_headers target)
  if(NOT LOOPCERT_UNITY OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    loopcert_eigen_once(${target})
    return()
  endif()
  if(NOT TARGET loopcert_headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/headers.cpp CONTENT "")
    add_library(loopcert_headers OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/headers.cpp)
    set_target_properties(loopcert_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(loopcert_headers PRIVATE loopcert_core nlohmann_json::nlohmann_json)
    target_precompile_headers(loopcert_headers PRIVATE
      ${PROJECT_SOURCE_DIR}/src/core/eigen_once.hpp ${PROJECT_SOURCE_DIR}/src/core/plain_products.hpp
      <algorithm> <cmath> <filesystem> <functional> <map> <memory> <optional> <set> <string> <vector>
      <fmt/format.h> <nlohmann/json.hpp>)
  endif()
  target_precompile_headers(${target} REUSE_FROM loopcert_headers)
  # -fPIC as the headers. Below -O3, GCC 12 sees text + std::string leave their bounds.
  target_compile_options(${target} PRIVATE -fPIC -Wno-array-bounds -Wno-stringop-overread
                                           -Wno-stringop-overflow)
endfunction()
