// How large MessagePack would be as JSON, without making it: what pages are measured in, whichever encoding
// the client reads.
//
// Thread contract: any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace parley::protocol {

// Bytes of MsgpackToJson of each of the values that stand one behind the other, added up. REQUIRES: whole and
// sound values, as rows and replies are.
size_t JsonSize(std::string_view msgpack);

// No byte of MessagePack becomes more than this in JSON: a control character in text is spelled \u0001, and
// `false` with its comma is as long.
inline constexpr size_t kJsonPerMsgpackByte = 6;

// The bytes of one page: takes items until the next would go over. The first is always taken, so that paging
// gets on; no item that can be written is larger than a page (gateway/options.cc).
//
// The size is counted exactly only when a page may come near its end. Most never do, and counting every page
// would cost as much as reading a small one.
class PageBytes {
 public:
  // `frame` is what each item costs beside itself: a comma, and what it is wrapped in.
  explicit PageBytes(size_t max, size_t frame = 1)
      : left_(max > kEnvelope ? max - kEnvelope : 0), frame_(frame) {}

  // Whether `item` still fits. `taken()` gives the JsonSize of all items taken so far; called once at most.
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
  size_t most_ = 0;  // what the items taken are at most, while not counted
  size_t count_ = 0;
  bool exact_ = false;
};

// Of the items themselves, as JSON; option max_page_bytes.
inline constexpr size_t kMaxPageBytes = size_t{1} << 20;

}  // namespace parley::protocol
