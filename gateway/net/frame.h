// Encodes frames, and queues those that one socket has not written yet. Frames are unmasked and unfragmented,
// as a server sends them (RFC 6455 §5.2).
//
// A SharedFrame is immutable and may be shared across threads; an Outbox belongs to one socket on the loop's
// thread.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/net/transport.h"

namespace parley::gateway {

// The headers and payloads of one or several frames: one entry in each outbox. Usually one buffer, which
// needs one iovec; a large payload keeps its own buffer after the header, since copying it costs more than a
// second iovec.
class SharedFrame {
 public:
  explicit SharedFrame(std::string wire, std::shared_ptr<ReaderBudget> readers = {})
      : SharedFrame(std::move(wire), std::string(), std::move(readers)) {}
  SharedFrame(std::string head, std::string body, std::shared_ptr<ReaderBudget> readers)
      : head_(std::move(head)), body_(std::move(body)), share_(std::move(readers), size()) {}
  std::string_view part(size_t index) const { return index == 0 ? head_ : body_; }
  static constexpr size_t kParts = 2;  // consecutive on the wire; the second may be empty
  size_t size() const { return head_.size() + body_.size(); }

 private:
  const std::string head_, body_;
  const ReaderShare share_;
};

enum class WsOpcode : uint8_t { kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10 };

std::string FrameOf(WsOpcode opcode, std::string_view payload);
SharedFramePtr ControlFrame(WsOpcode opcode, std::string_view payload);

// Replaces websocketpp's queue, which cannot be dropped, counts payloads only and does not release its
// memory.
class Outbox {
 public:
  void Push(SharedFramePtr frame);
  bool empty() const { return bytes_ == 0; }
  size_t bytes() const { return bytes_; }                  // queued, not yet consumed
  uint64_t pushed_bytes() const { return pushed_bytes_; }  // since the start
  // Points up to `capacity` iovecs at the front of the queue; returns how many it used.
  int Fill(iovec* vectors, int capacity) const;
  void Consume(size_t bytes);  // REQUIRES: bytes <= this->bytes()
  // Drops all frames that are not partly written: cutting one would break the stream.
  void DropUnstarted();
  void Clear();

 private:
  void ReleaseWhenEmpty();

  std::vector<SharedFramePtr> frames_;
  size_t head_ = 0;         // frames before it are written
  size_t head_offset_ = 0;  // bytes of the head that are written
  size_t bytes_ = 0;
  uint64_t pushed_bytes_ = 0;
};

}  // namespace parley::gateway
