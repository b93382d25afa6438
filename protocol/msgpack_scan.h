// Walks over MessagePack of our own, as a Writer writes it: value by value, in place. What it does not know
// (floats, bin, ext) and what is cut short makes it fail, and everything after that reads as empty.
//
// Thread contract: not thread-safe; the bytes outlive it.
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

  // Into a map or a list: how many members or items follow; nothing, without a step, if it is none.
  std::optional<size_t> BeginMap() { return Begin(Kind::kMap); }
  std::optional<size_t> BeginArray() { return Begin(Kind::kArray); }

  std::string_view Text() {
    const std::string_view text = PeekText();
    if (text.data() == nullptr) failed_ = true;
    Skip();
    return text;
  }

  // One value, encoded.
  std::string_view Skip() {
    const size_t from = at_;
    at_ = EndOf(at_);
    return Since(from);
  }

  // Nothing at the end.
  std::optional<char> PeekByte() const {
    return at_ < bytes_.size() ? std::optional(bytes_[at_]) : std::nullopt;
  }
  std::string_view PeekValue() { return bytes_.substr(std::min(at_, bytes_.size()), EndOf(at_) - at_); }
  // Without data if it is no text.
  std::string_view PeekText() {
    const Head head = HeadAt(at_);
    return head.kind == Kind::kText ? bytes_.substr(at_ + head.size, head.count) : std::string_view();
  }

 private:
  // What a value begins with: how long that is, and how many bytes, items or members follow.
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

  // What is counted is there: each member and item takes a byte at least.
  Head Bounded(Head head, size_t at) const {
    return head.size + head.count <= bytes_.size() - at ? head : Head{};
  }

  std::optional<size_t> Begin(Kind kind) {
    const Head head = HeadAt(at_);
    if (head.kind != kind) return std::nullopt;
    at_ += head.size;
    return head.count;
  }

  // Behind the value that begins there; on failure, behind everything.
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
