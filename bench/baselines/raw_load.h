// Clients of RawServer: the same sockets and the same bytes as with Parley, without a protocol.
#pragma once

#include <cstddef>
#include <string>

namespace parley::bench {

struct RawFigures {
  double per_second = 0;  // round trips, or deliveries
  double cpu_us = 0;      // the server's, for one of them
};

// Each of `connections` sends `request_bytes` and waits for `reply_bytes`, again and again.
RawFigures MeasureRawEcho(size_t connections, size_t request_bytes, size_t reply_bytes, double seconds);

// Every connection gets each frame; `burst` frames are sent in one send() per connection, burst 1 in one
// each.
RawFigures MeasureRawBroadcast(size_t connections, size_t frame_bytes, size_t burst, double seconds);

}  // namespace parley::bench
