// What websocketpp's HTTP parser lets pass in a request's head although two readers could understand it
// differently (RFC 9112 §3.2, §5.1, §5.2). A proxy in front of us that reads it the other way would let one
// client's request pass for another's.
//
// Threads: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley::gateway {

// Looks at the head as it arrives, in pieces of any size. Refused are: a header line that begins with a blank
// (a folded line), a blank or any other character that no name has before the colon, an empty name, a second
// Host or Content-Length line, a control character other than a tab in a value, and a CR or LF by itself.
class HeaderScan {
 public:
  // False from the first fault on. What follows the head is not looked at.
  bool Take(const char* data, size_t size);

 private:
  enum class At : uint8_t { kRequestLine, kLineStart, kName, kValue, kLineEnd, kHeadEnd, kBehind, kFault };
  At Next(char c);
  At AfterName();

  At at_ = At::kRequestLine;
  char name_[14] = {};  // as much of it as tells those that stand alone from others
  size_t name_bytes_ = 0;
  bool has_host_ = false, has_length_ = false;
};

// Whether a header's list of names, separated by commas, has this one, in whatever case. `name` is in lower
// case.
bool ListNames(std::string_view list, std::string_view name);

// "/path?query", "*" or "http://host:port/path?query" taken apart.
struct RequestTarget {
  bool valid = false;
  std::string authority;  // host:port; empty: the Host line says it
  std::string path;       // with the query
};
RequestTarget SplitRequestTarget(std::string_view target);

}  // namespace parley::gateway
