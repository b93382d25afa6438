// Parses a chunked body (RFC 9112 §7.1) from pieces of any size. It is strict, like HeaderScan: a length has
// one to eight hexadecimal digits, only an extension may follow it, and lines end in CR LF.
//
// Extensions and trailers are bounded and ignored. The bytes around the data are bounded in relation to it,
// so that chunks of one byte are allowed and a stream of framing alone is not.
//
// Threads: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gateway/net/header.h"

namespace parley::gateway {

class ChunkScan {
 public:
  static constexpr size_t kTrailerBytesMax = 4096;
  static constexpr size_t kOverheadMax =
      16 * 1024;  // framing bytes beyond 16 per chunk and as many as its data

  struct Step {
    size_t taken = 0;
    std::string_view data;  // body bytes, at the end of the bytes taken
  };
  // Takes bytes up to the end of the input, of a chunk's data or of the body, or up to a fault. Takes at
  // least one byte unless it is complete or at fault.
  Step Take(const char* data, size_t size);
  bool complete() const { return at_ == At::kBehind; }
  int fault() const { return fault_; }  // an HTTP status; 0: none
  // Returns the bytes of the present chunk still to come; 0 until its length is known.
  uint64_t ahead() const { return at_ == At::kData ? left_ : 0; }

 private:
  enum class At : uint8_t {
    kSize,
    kExtension,
    kSizeEnd,
    kData,
    kDataEnd,
    kLineEnd,
    kTrailers,
    kBehind,
    kFault
  };
  At Next(char c);
  At SizeCharacter(char c);
  At BehindSize();
  At Fault(int status);
  void TakeTrailers(const char* data, size_t size, Step* step);

  At at_ = At::kSize;
  uint8_t digits_ = 0;
  int fault_ = 0;
  uint64_t left_ = 0;
  size_t line_bytes_ = 0;
  size_t overhead_ = 0;
  HeaderScan trailers_ = HeaderScan::OfTrailers();
};

}  // namespace parley::gateway
