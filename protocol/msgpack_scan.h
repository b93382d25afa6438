// Walks over MessagePack that a Writer wrote: value by value, in place. Unknown types (floats, bin, ext) and
// truncated input make it fail, and everything after that reads as empty.
//
// Thread contract: not thread-safe; the bytes must outlive it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace parley::protocol {

class MsgpackScan {
  enum class Kind : uint8_t { kScalar, kText, kArray, kMap, kBad };

 public:
  explicit MsgpackScan(std::string_view bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }
  bool at_end() const { return at_ == bytes_.size(); }
  size_t at() const { return at_; }
  std::string_view Since(size_t from) const { return bytes_.substr(from, at_ - from); }

  // Enters a map or a list and returns its size; returns nullopt, without a step, if it is neither.
  std::optional<size_t> BeginMap() { return Begin(Kind::kMap); }
  std::optional<size_t> BeginArray() { return Begin(Kind::kArray); }

  std::string_view Text() {
    const std::string_view text = PeekText();
    if (text.data() == nullptr) failed_ = true;
    Skip();
    return text;
  }

  // Returns one encoded value.
  std::string_view Skip() {
    const size_t from = at_;
    at_ = EndOf(at_);
    return Since(from);
  }

  // Returns nullopt at the end.
  std::optional<char> PeekByte() const {
    return at_ < bytes_.size() ? std::optional(bytes_[at_]) : std::nullopt;
  }
  std::string_view PeekValue() { return bytes_.substr(std::min(at_, bytes_.size()), EndOf(at_) - at_); }
  // The result has no data if the value is not text.
  std::string_view PeekText() {
    const Head head = HeadAt(at_);
    return head.kind == Kind::kText ? bytes_.substr(at_ + head.size, head.count) : std::string_view();
  }

 private:
  // The head of a value: its size, and the number of bytes, items or members that follow.
  struct Head {
    Kind kind = Kind::kBad;
    size_t size = 0, count = 0;
  };

  Head HeadAt(size_t at) const {
    if (failed_ || at >= bytes_.size()) return {};
    const auto tag = static_cast<uint8_t>(bytes_[at]);
    if (tag < 0x80 || tag >= 0xe0) return {Kind::kScalar, 1, 0};
    if (tag < 0x90) return {Kind::kMap, 1, size_t{tag} & 0x0f};
    if (tag < 0xa0) return {Kind::kArray, 1, size_t{tag} & 0x0f};
    if (tag < 0xc0) return Bounded({Kind::kText, 1, size_t{tag} & 0x1f}, at);
    if (tag == 0xc0 || tag == 0xc2 || tag == 0xc3) return {Kind::kScalar, 1, 0};
    if (tag >= 0xcc && tag <= 0xcf) return Bounded({Kind::kScalar, 1 + (size_t{1} << (tag - 0xcc)), 0}, at);
    if (tag >= 0xd0 && tag <= 0xd3) return Bounded({Kind::kScalar, 1 + (size_t{1} << (tag - 0xd0)), 0}, at);
    if (tag >= 0xd9 && tag <= 0xdb) return Counted(Kind::kText, at, size_t{1} << (tag - 0xd9));
    if (tag == 0xdc || tag == 0xdd) return Counted(Kind::kArray, at, tag == 0xdc ? 2 : 4);
    if (tag == 0xde || tag == 0xdf) return Counted(Kind::kMap, at, tag == 0xde ? 2 : 4);
    return {};
  }

  Head Counted(Kind kind, size_t at, size_t digits) const {
    if (bytes_.size() - at <= digits) return {};
    size_t count = 0;
    for (size_t i = 1; i <= digits; ++i) count = count << 8 | static_cast<uint8_t>(bytes_[at + i]);
    return Bounded({kind, 1 + digits, count}, at);
  }

  // Rejects impossible counts: each member and item takes at least a byte.
  Head Bounded(Head head, size_t at) const {
    return head.size + head.count <= bytes_.size() - at ? head : Head{};
  }

  std::optional<size_t> Begin(Kind kind) {
    const Head head = HeadAt(at_);
    if (head.kind != kind) return std::nullopt;
    at_ += head.size;
    return head.count;
  }

  // Returns the end of the value that begins there; on failure, the end of all bytes.
  size_t EndOf(size_t at) {
    for (size_t left = 1; left > 0; --left) {
      const Head head = HeadAt(at);
      if (head.kind == Kind::kBad) {
        failed_ = true;
        return bytes_.size();
      }
      at += head.size;
      if (head.kind == Kind::kText) at += head.count;
      if (head.kind == Kind::kArray) left += head.count;
      if (head.kind == Kind::kMap) left += 2 * head.count;
    }
    return at;
  }

  const std::string_view bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace parley::protocol
