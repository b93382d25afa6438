// What HTTP parsers accept in a request's head although two readers could understand it differently
// (RFC 9112 §3.2, §5.1, §5.2). A proxy in front of us that reads it the other way would let one client's
// request pass for another's.
//
// Threads: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley::gateway {

// Examines the head as it arrives, in pieces of any size. It refuses: a header line that begins with a blank
// (a folded line), a blank or another invalid character in a name before the colon, an empty name, a second
// Host or Content-Length line, a control character other than a tab in a value, and a CR or LF by itself.
class HeaderScan {
 public:
  // Behind a body in chunks: header lines without a request line before them.
  static HeaderScan OfTrailers() {
    HeaderScan scan;
    scan.at_ = At::kLineStart;
    return scan;
  }
  // False from the first fault on. What follows the head is ignored.
  bool Take(const char* data, size_t size);
  bool complete() const { return at_ == At::kBehind; }
  size_t bytes() const { return bytes_; }  // taken so far, all of them the head's

 private:
  enum class At : uint8_t { kRequestLine, kLineStart, kName, kValue, kLineEnd, kHeadEnd, kBehind, kFault };
  At Next(char c);
  At AfterName();

  At at_ = At::kRequestLine;
  char name_[14] = {};  // enough of it to recognise the headers that may appear only once
  size_t name_bytes_ = 0;
  size_t bytes_ = 0;
  bool has_host_ = false, has_length_ = false;
};

// Whether a header's comma-separated list of names contains this one, in any case. `name` is in lower case.
bool ListNames(std::string_view list, std::string_view name);
bool EqualsIgnoringCase(std::string_view a, std::string_view b);
std::string_view Trimmed(std::string_view text);  // without blanks and tabs at its ends
bool IsToken(std::string_view text);              // RFC 9110 §5.6.2

// The trace id of a traceparent header (W3C Trace Context §3.2), 32 hexadecimal digits; empty if it is
// malformed.
std::string_view TraceIdOf(std::string_view traceparent);

// The parts of "/path?query", "*" or "http://host:port/path?query".
struct RequestTarget {
  bool valid = false;
  std::string authority;  // host:port; empty: the Host line gives it
  std::string path;       // including the query
};
RequestTarget SplitRequestTarget(std::string_view target);

// Whether it is a host, and a port if one is given (RFC 3986 §3.2.2): nothing in it could be taken for a
// user, a path or a list. Empty is none, and sound: a request may be for no host.
bool IsSoundHost(std::string_view host_and_port);

}  // namespace parley::gateway
