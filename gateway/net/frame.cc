#include "gateway/net/frame.h"

#include <algorithm>
#include <utility>

namespace parley::gateway {
namespace {

constexpr size_t kIdleCapacity = 8;  // entries of capacity that an empty outbox keeps
constexpr size_t kHeaderMost = 10;
constexpr size_t kApart = 1024;  // a payload of at least this size is not copied

WsOpcode OpcodeFor(bool binary) {
  return binary ? WsOpcode::kBinary : WsOpcode::kText;
}

void AppendHeader(WsOpcode opcode, uint64_t size, std::string* out) {
  constexpr char kFin = static_cast<char>(0x80);
  out->push_back(static_cast<char>(kFin | static_cast<char>(opcode)));
  int length_bytes = 0;
  if (size <= 125) {
    out->push_back(static_cast<char>(size));
  } else if (size <= 0xffff) {
    out->push_back(126);
    length_bytes = 2;
  } else {
    out->push_back(127);
    length_bytes = 8;
  }
  for (int shift = 8 * (length_bytes - 1); shift >= 0; shift -= 8)
    out->push_back(static_cast<char>(size >> shift));
}

}  // namespace

std::string FrameOf(WsOpcode opcode, std::string_view payload) {
  std::string wire;
  wire.reserve(payload.size() + kHeaderMost);
  AppendHeader(opcode, payload.size(), &wire);
  wire += payload;
  return wire;
}

SharedFramePtr ControlFrame(WsOpcode opcode, std::string_view payload) {
  return std::make_shared<const SharedFrame>(FrameOf(opcode, payload));
}

SharedFramePtr MakeFrame(std::string_view start, std::string rest, bool binary,
                         std::shared_ptr<ReaderBudget> readers) {
  std::string wire;
  const bool apart = rest.size() >= kApart;
  wire.reserve(kHeaderMost + start.size() + (apart ? 0 : rest.size()));
  AppendHeader(OpcodeFor(binary), start.size() + rest.size(), &wire);
  wire += start;
  if (apart) return std::make_shared<const SharedFrame>(std::move(wire), std::move(rest), std::move(readers));
  wire += rest;
  return std::make_shared<const SharedFrame>(std::move(wire), std::move(readers));
}

SharedFramePtr MakeFrames(const std::string* payloads, size_t count, bool binary,
                          std::shared_ptr<ReaderBudget> readers) {
  size_t size = 0;
  for (size_t i = 0; i < count; ++i) size += payloads[i].size() + kHeaderMost;
  std::string wire;
  wire.reserve(size);
  for (size_t i = 0; i < count; ++i) {
    AppendHeader(OpcodeFor(binary), payloads[i].size(), &wire);
    wire += payloads[i];
  }
  return std::make_shared<const SharedFrame>(std::move(wire), std::move(readers));
}

size_t FrameBytes(const SharedFrame& frame) {
  return frame.size();
}

void Outbox::Push(SharedFramePtr frame) {
  const size_t size = frame->size();
  if (size == 0) return;
  bytes_ += size;
  pushed_bytes_ += size;
  frames_.push_back(std::move(frame));
}

int Outbox::Fill(iovec* vectors, int capacity) const {
  int used = 0;
  size_t written = head_offset_;  // bytes of this frame that are written
  for (size_t i = head_; i < frames_.size(); ++i, written = 0) {
    for (size_t part = 0; part < SharedFrame::kParts; ++part) {
      const std::string_view bytes = frames_[i]->part(part);
      const size_t skip = std::min(written, bytes.size());
      written -= skip;
      if (skip == bytes.size()) continue;
      if (used == capacity) return used;
      vectors[used++] = {const_cast<char*>(bytes.data()) + skip, bytes.size() - skip};
    }
  }
  return used;
}

void Outbox::Consume(size_t bytes) {
  bytes_ -= bytes;
  while (bytes > 0) {
    const size_t left = frames_[head_]->size() - head_offset_;
    if (bytes < left) {
      head_offset_ += bytes;
      break;
    }
    bytes -= left;
    head_offset_ = 0;
    frames_[head_++].reset();
  }
  ReleaseWhenEmpty();
  // If a reader is slightly slower than the writer, the queue never empties: drop the written half now and
  // then.
  if (head_ > 64 && head_ * 2 > frames_.size()) {
    frames_.erase(frames_.begin(), frames_.begin() + static_cast<ptrdiff_t>(head_));
    head_ = 0;
  }
}

void Outbox::DropUnstarted() {
  const size_t keep = head_offset_ > 0 ? head_ + 1 : head_;
  while (frames_.size() > keep) {
    bytes_ -= frames_.back()->size();
    frames_.pop_back();
  }
  frames_.shrink_to_fit();
  ReleaseWhenEmpty();
}

void Outbox::Clear() {
  frames_ = {};
  head_ = head_offset_ = bytes_ = 0;
}

void Outbox::ReleaseWhenEmpty() {
  if (bytes_ > 0) return;
  frames_.clear();
  head_ = head_offset_ = 0;
  if (frames_.capacity() > kIdleCapacity) frames_.shrink_to_fit();
}

}  // namespace parley::gateway
