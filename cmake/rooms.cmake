# loopcert_read_rooms(<file>): sets LOOPCERT_ROOMS and, for each room, LOOPCERT_ROOM_<room>,
# the rooms it may include.
macro(loopcert_read_rooms file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  set(LOOPCERT_ROOMS "")
  file(STRINGS ${file} _lines REGEX "^[a-z]+:")
  foreach(_line IN LISTS _lines)
    string(REGEX MATCH "^([a-z]+):(.*)$" _ "${_line}")
    set(_room ${CMAKE_MATCH_1})
    string(REGEX MATCHALL "[a-z]+" LOOPCERT_ROOM_${_room} "${CMAKE_MATCH_2}")
    list(APPEND LOOPCERT_ROOMS ${_room})
  endforeach()
endmacro()

# loopcert_room(<name> [HOT | COLD] [DEPENDS <rooms>] [LINK <libs>] [PRIVATE <libs>] [HEADERS <libs>])
#
# One static library loopcert::<name> from src/<name>/*.cpp and its folders, whose own headers are
# included as "folder/header.hpp". A room without sources is skipped, also
# as a dependency of another room.
#   HOT      its time goes into loops over small matrices: -O3, Eigen's own products (unity.cmake)
#   COLD     it reads, calls and writes: -O1
#   DEPENDS  rooms to link, by default those that cmake/rooms.txt lists
#   LINK     libraries that the public headers expose
#   PRIVATE  libraries that only the sources use, and that the consumer's linker needs
#   HEADERS  header-only libraries that only the sources use: the consumer does not need them
function(loopcert_room name)
  cmake_parse_arguments(ARG "HOT;COLD" "" "DEPENDS;LINK;PRIVATE;HEADERS" ${ARGN})
  if(NOT name IN_LIST LOOPCERT_ROOMS)
    message(FATAL_ERROR "room ${name} is missing from cmake/rooms.txt")
  endif()
  if(NOT ARG_DEPENDS)
    set(ARG_DEPENDS ${LOOPCERT_ROOM_${name}})
  endif()
  foreach(room IN LISTS ARG_DEPENDS)
    if(NOT room IN_LIST LOOPCERT_ROOM_${name})
      message(FATAL_ERROR "room ${name} may not depend on room ${room} (cmake/rooms.txt)")
    endif()
  endforeach()

  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp
       ${PROJECT_SOURCE_DIR}/src/${name}/*/*.cpp)
  if(NOT sources)
    message(STATUS "loopcert: room ${name} has no sources yet")
    return()
  endif()

  set(target loopcert_${name})
  add_library(${target} STATIC ${sources})
  add_library(loopcert::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  loopcert_unity(${target})
  if(ARG_HOT)
    loopcert_eigen_once(${target})
  else()
    loopcert_headers(${target})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:$<IF:$<BOOL:${ARG_COLD}>,-O1,-O2>>)
  endif()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/${name})
  # Headers that are not installed: "room/header.hpp".
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_include_directories(
    ${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                     $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                     $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  foreach(room IN LISTS ARG_DEPENDS)
    if(TARGET loopcert_${room})
      target_link_libraries(${target} PUBLIC loopcert_${room})
    elseif(EXISTS ${PROJECT_SOURCE_DIR}/src/${room})
      message(FATAL_ERROR "room ${room} must come before room ${name} in CMakeLists.txt")
    endif()
  endforeach()
  target_link_libraries(${target} PUBLIC ${ARG_LINK} PRIVATE ${ARG_PRIVATE})
  foreach(library IN LISTS ARG_HEADERS)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${library}>)
  endforeach()

  target_link_libraries(loopcert_all INTERFACE ${target})
  install(TARGETS ${target} EXPORT loopcert ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()
