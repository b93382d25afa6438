// Computes the size of MessagePack as JSON without converting it: pages are measured in JSON bytes, whichever
// encoding the client reads.
//
// Thread contract: any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace parley::protocol {

// Returns the number of bytes that MsgpackToJson makes of a sequence of values. REQUIRES: complete and valid
// values, such as rows and replies.
size_t JsonSize(std::string_view msgpack);

// The most JSON bytes per byte of MessagePack: a control character in text becomes \u0001, and `false` with
// its comma is as long.
inline constexpr size_t kJsonPerMsgpackByte = 6;

// The byte budget of one page: takes items until the next one would exceed it. The first is always taken, so
// that paging makes progress; no item that can be written is larger than a page (gateway/app/options.cc).
//
// The exact size is counted only when a page may be close to its limit. Most never are, and counting every
// page would cost as much as reading a small one.
class PageBytes {
 public:
  // `frame` is the overhead of each item: a comma and its wrapping.
  explicit PageBytes(size_t max, size_t frame = 1)
      : left_(max > kEnvelope ? max - kEnvelope : 0), frame_(frame) {}

  // Whether `item` still fits. `taken()` returns the JsonSize of all items taken so far; it is called at most
  // once.
  template <class Taken>
  bool Take(std::string_view item, Taken taken) {
    if (!exact_) {
      most_ += item.size() * kJsonPerMsgpackByte + frame_;
      if (most_ <= left_) return ++count_, true;
      const size_t used = count_ > 0 ? taken() + count_ * frame_ : 0;
      left_ -= used < left_ ? used : left_;
      exact_ = true;
    }
    const size_t bytes = JsonSize(item) + frame_;
    if (bytes > left_ && count_ > 0) return false;
    left_ -= bytes < left_ ? bytes : left_;
    return ++count_, true;
  }

 private:
  static constexpr size_t kEnvelope = 1024;  // the reply around the list: its id, its cursor

  size_t left_;
  const size_t frame_;
  size_t most_ = 0;  // an upper bound for the items taken, until they are counted
  size_t count_ = 0;
  bool exact_ = false;
};

// The limit of the items alone, as JSON; option max_page_bytes.
inline constexpr size_t kMaxPageBytes = size_t{1} << 20;

}  // namespace parley::protocol
