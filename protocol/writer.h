// Writes MessagePack, the one form in which items are stored and spliced; JSON is made from it at the edge.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/value.h"

namespace parley::protocol {

// Not thread-safe. The caller keeps counts and order right: BeginMap(n) is followed by n pairs of Text(key)
// and a value.
class Writer {
 public:
  // Room for most items and frames, so that writing one does not reallocate repeatedly.
  Writer() { out_.reserve(kUsualBytes); }
  void Nil();
  void Bool(bool b);
  void Int(int64_t n);
  void Text(std::string_view text);
  void BeginMap(size_t members);
  void BeginArray(size_t items);
  void Raw(std::string_view encoded) {  // REQUIRES: exactly one encoded value
    // Reserves room for the cursor that follows a page, so that the page is not copied again.
    if (out_.capacity() - out_.size() < encoded.size())
      out_.reserve(out_.size() + encoded.size() + kUsualBytes);
    out_.append(encoded);
  }
  // Like Raw, but uses the buffer of `encoded` if it has room for the bytes written before and for the usual
  // bytes after it.
  void Adopt(std::string&& encoded) {
    if (encoded.capacity() - encoded.size() < out_.size() + kUsualBytes) return Raw(encoded);
    encoded.insert(0, out_);
    out_ = std::move(encoded);
  }
  void Put(const Value& value);

  size_t size() const { return out_.size(); }
  const std::string& bytes() const { return out_; }
  std::string Take() { return std::move(out_); }

 private:
  static constexpr size_t kUsualBytes = 400;
  std::string out_;
};

// The same value as JSON text. REQUIRES: written by a Writer.
std::string MsgpackToJson(std::string_view msgpack);

}  // namespace parley::protocol
