// A broadcast server that stores nothing: one thread, epoll, one send() for each frame and receiver. It
// implements the part of the protocol that load/rooms.h uses, over the same WebSockets with frames of the
// same sizes, so its cost is the minimum that any server must pay for these messages.
#pragma once

#include "bench/baselines/forked_server.h"
#include "bench/baselines/frame_template.h"

namespace parley::bench {

// The server's frames for a send: the acknowledgement, and the event.
struct RoomFrames {
  FrameTemplate ack, event;
};

// A session's token is the thread that it is in; there is no HTTP. MessagePack only.
class RoomServer {
 public:
  explicit RoomServer(RoomFrames frames);
  const sockaddr_in& address() const { return process_.address(); }
  pid_t pid() const { return process_.pid(); }

 private:
  ForkedServer process_;
};

}  // namespace parley::bench
