# websocketpp 0.8.2 from Debian, with four faults of its frame parser corrected on a private copy of one header that precedes
# the installed one on the include path. If another version lacks a pattern, configuration stops: check whether the fault is
# fixed there and adjust this list, do not drop it (tests/gateway/net/transport_test.cc tests all four).
set(parley_websocketpp_fixed ${CMAKE_BINARY_DIR}/websocketpp_fixed)

function(parley_fix variable what from to)
  string(FIND "${${variable}}" "${from}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "websocketpp's hybi13.hpp does not contain the code to correct (${what}). "
                        "cmake/ParleyWebsocketpp.cmake was written for 0.8.2.")
  endif()
  string(REPLACE "${from}" "${to}" fixed "${${variable}}")
  set(${variable} "${fixed}" PARENT_SCOPE)
endfunction()

# Brackets and semicolons of C++ are list syntax to CMake; the quoted arguments above keep them as text.
file(READ ${WEBSOCKETPP_INCLUDE_DIR}/websocketpp/processors/hybi13.hpp hybi13)

parley_fix(hybi13 "marker" "#define WEBSOCKETPP_PROCESSOR_HYBI13_HPP"
           "#define WEBSOCKETPP_PROCESSOR_HYBI13_HPP\n#define PARLEY_WEBSOCKETPP_FIXED 1")

# The sum overflows: a continuation that claimed nearly 2^64 bytes was buffered without limit.
parley_fix(hybi13 "size of a continued message"
           "out.size() + m_bytes_needed > base::m_max_message_size"
           "m_bytes_needed > base::m_max_message_size || out.size() > base::m_max_message_size - m_bytes_needed")

# Never allocate by a claimed length: ten thousand idle peers that claim 256 KiB each would use 2.5 GB.
parley_fix(hybi13 "memory for a claimed continuation" "out.reserve(out.size() + m_bytes_needed);" "")
parley_fix(hybi13 "memory for a claimed frame" "m_msg_manager->get_message(op,m_bytes_needed)"
           "m_msg_manager->get_message(op,(std::min)(m_bytes_needed,len-p))")

# The last frame of a fragmented text is a continuation, so its UTF-8 was never checked for completeness.
parley_fix(hybi13 "UTF-8 at the end of a fragmented text"
           "if (frame::get_opcode(m_basic_header) == frame::opcode::TEXT)"
           "if (m_current_msg->msg_ptr->get_opcode() == frame::opcode::TEXT)")

# The peer violates RFC 6455 §5.2, so 1002 and not 1011.
parley_fix(hybi13 "lengths in more bytes than needed" "make_error_code(error::non_minimal_encoding)"
           "make_error_code(error::protocol_violation)")

file(WRITE ${parley_websocketpp_fixed}/hybi13.hpp.new "${hybi13}")
configure_file(${parley_websocketpp_fixed}/hybi13.hpp.new
               ${parley_websocketpp_fixed}/websocketpp/processors/hybi13.hpp COPYONLY)

# Code that includes websocketpp or asio is C++17: websocketpp 0.8.2 is not valid C++20, and asio must look the same to all of
# it. asio detects allocators and timers by macros of the standard library, which a standard header must have defined before;
# without -include, files that include asio first disagree with the others about its functions. Fences around handlers are for
# loops with several threads. Ours has one thread and gets tasks of others through a mutex, and ThreadSanitizer does not
# understand fences.
file(GLOB parley_transport_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/gateway/net/*.cc)
set_source_files_properties(${parley_transport_sources} PROPERTIES
  SKIP_PRECOMPILE_HEADERS ON  # compiled by another standard
  COMPILE_OPTIONS "-std=c++17;-isystem;${parley_websocketpp_fixed};-include;cstddef"
  COMPILE_DEFINITIONS "ASIO_STANDALONE;ASIO_NO_DEPRECATED;ASIO_DISABLE_FENCED_BLOCK;_WEBSOCKETPP_CPP11_STL_")
