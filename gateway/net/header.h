// Rejects request heads that HTTP parsers accept although two readers could understand them differently (RFC
// 9112 §3.2, §5.1, §5.2): if a proxy in front of us reads one differently, a client could smuggle a request
// past it.
//
// Threads: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/base/http.h"

namespace parley::gateway {

using protocol::EqualsIgnoringCase;

// Scans the head as it arrives, in pieces of any size. It rejects a header line that begins with a blank (a
// folded line), a blank or another invalid character in a name, an empty name, a second Host or
// Content-Length line, a control character other than a tab in a value, and a CR or LF by itself.
class HeaderScan {
 public:
  // Scans the trailers of a chunked body: header lines without a request line.
  static HeaderScan OfTrailers() {
    HeaderScan scan;
    scan.at_ = At::kLineStart;
    return scan;
  }
  // Returns false from the first fault on. Bytes after the head are ignored.
  bool Take(const char* data, size_t size);
  bool complete() const { return at_ == At::kBehind; }
  size_t bytes() const { return bytes_; }  // head bytes so far

 private:
  enum class At : uint8_t { kRequestLine, kLineStart, kName, kValue, kLineEnd, kHeadEnd, kBehind, kFault };
  At Next(char c);
  At AfterName();

  At at_ = At::kRequestLine;
  char name_[14] = {};  // long enough for the headers that may appear only once
  size_t name_bytes_ = 0;
  size_t bytes_ = 0;
  bool has_host_ = false, has_length_ = false;
};

// Returns true if a header's comma-separated list contains this name, in any case. `name` is in lower case.
bool ListNames(std::string_view list, std::string_view name);
std::string_view Trimmed(std::string_view text);  // without blanks and tabs at its ends
bool IsToken(std::string_view text);              // RFC 9110 §5.6.2

// Returns the trace id of a traceparent header (W3C Trace Context §3.2), 32 hexadecimal digits, or "" if it
// is malformed.
std::string_view TraceIdOf(std::string_view traceparent);

// The parts of "/path?query", "*" or "http://host:port/path?query".
struct RequestTarget {
  bool valid = false;
  std::string authority;  // host:port; empty: the Host line has it
  std::string path;       // including the query
};
RequestTarget SplitRequestTarget(std::string_view target);

// Returns true for a host with an optional port (RFC 3986 §3.2.2): nothing in it could be taken for a user, a
// path or a list. Empty text is valid too: a request may name no host.
bool IsSoundHost(std::string_view host_and_port);

}  // namespace parley::gateway
