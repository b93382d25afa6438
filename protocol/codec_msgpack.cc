// MessagePack, with msgpack-c: only this file and json_text.cc include it. Decoding uses a visitor that stops
// at the first violation of a bound (the library's own parser has no bounds); encoding uses the library's
// packer, writing into a std::string.
#define MSGPACK_NO_BOOST
#include <cmath>
#include <msgpack.hpp>

#include "protocol/value.h"
#include "protocol/writer.h"

namespace parley::protocol {
namespace {

class Visitor : public msgpack::null_visitor {
 public:
  Visitor(const DecodeLimits& limits, size_t total) : builder_(limits), total_(total) {}

  bool visit_nil() { return builder_.Scalar(Value()); }
  bool visit_boolean(bool v) { return builder_.Scalar(Value(v)); }
  bool visit_positive_integer(uint64_t v) {
    return builder_.Scalar(v <= static_cast<uint64_t>(kMaxSafeInteger) ? Value(static_cast<int64_t>(v))
                                                                       : Value(UnusableNumber{}));
  }
  // The library's name is misleading: it calls this for every number in a signed format, including positive
  // ones.
  bool visit_negative_integer(int64_t v) {
    const bool safe = v >= -kMaxSafeInteger && v <= kMaxSafeInteger;
    return builder_.Scalar(safe ? Value(v) : Value(UnusableNumber{}));
  }
  bool visit_float32(float v) { return visit_float64(v); }
  bool visit_float64(double v) {
    const bool integral = std::nearbyint(v) == v && std::abs(v) <= static_cast<double>(kMaxSafeInteger);
    return builder_.Scalar(integral ? Value(static_cast<int64_t>(v)) : Value(UnusableNumber{}));
  }
  bool visit_str(const char* v, uint32_t size) {
    const std::string_view text(v, size);
    if (!IsUtf8(text)) return Fail("text is not UTF-8");
    if (in_key_) {
      key_seen_ = true;
      return builder_.Key(text);
    }
    return builder_.Scalar(Value(text));
  }
  bool visit_bin(const char*, uint32_t) { return Fail("bin is not used"); }
  bool visit_ext(const char*, uint32_t) { return Fail("ext is not used"); }
  bool start_array(uint32_t n) { return Open(false, n); }
  bool end_array() { return builder_.End(); }
  bool start_map(uint32_t n) { return Open(true, n); }
  bool end_map() { return builder_.End(); }
  bool start_map_key() {
    in_key_ = true;
    key_seen_ = false;
    return true;
  }
  bool end_map_key() {
    in_key_ = false;
    return key_seen_ || Fail("a key is not text");
  }
  void parse_error(size_t, size_t) { fault_ = "malformed"; }
  void insufficient_bytes(size_t, size_t) { fault_ = "truncated"; }

  const char* fault() const { return fault_ ? fault_ : builder_.fault(); }
  TreeBuilder& builder() { return builder_; }

 private:
  bool Open(bool is_map, uint32_t claimed) {
    if (in_key_) return Fail("a key is not text");
    if (claimed > total_) return Fail("claims more than it holds");
    return builder_.Begin(is_map, claimed);
  }
  bool Fail(const char* why) {
    fault_ = why;
    return false;
  }

  TreeBuilder builder_;
  const size_t total_;
  bool in_key_ = false;
  bool key_seen_ = false;
  const char* fault_ = nullptr;
};

// The output of msgpack::packer.
struct StringSink {
  std::string* out;
  void write(const char* data, size_t size) { out->append(data, size); }
};
using Packer = msgpack::packer<StringSink>;

}  // namespace

const char* DecodeMsgpack(std::string bytes, const DecodeLimits& limits, Document* out) {
  if (bytes.size() > limits.max_bytes) return "too large";
  auto storage = std::make_shared<const std::string>(std::move(bytes));
  Visitor visitor(limits, storage->size());
  size_t offset = 0;
  bool parsed = false;
  try {
    parsed = msgpack::parse(storage->data(), storage->size(), offset, visitor);
  } catch (const std::exception&) {
    return "malformed";  // the library throws on some malformed input
  }
  if (visitor.fault()) return visitor.fault();
  if (!parsed || !visitor.builder().complete()) return "truncated";
  if (offset != storage->size()) return "bytes after the frame";
  out->root = visitor.builder().Take();
  out->storage = std::move(storage);
  return nullptr;
}

void Writer::Nil() {
  out_ += '\xc0';
}
void Writer::Bool(bool b) {
  out_ += b ? '\xc3' : '\xc2';
}
void Writer::Int(int64_t n) {
  StringSink sink{&out_};
  Packer(sink).pack_int64(n);
}
void Writer::Text(std::string_view text) {
  StringSink sink{&out_};
  Packer packer(sink);
  packer.pack_str(static_cast<uint32_t>(text.size()));
  packer.pack_str_body(text.data(), static_cast<uint32_t>(text.size()));
}
void Writer::BeginMap(size_t members) {
  StringSink sink{&out_};
  Packer(sink).pack_map(static_cast<uint32_t>(members));
}
void Writer::BeginArray(size_t items) {
  StringSink sink{&out_};
  Packer(sink).pack_array(static_cast<uint32_t>(items));
}

void Writer::Put(const Value& value) {
  if (value.is_null() || value.is_unusable_number() || value.is_unusable_text()) {
    Nil();
  } else if (const bool* b = value.as_bool()) {
    Bool(*b);
  } else if (const int64_t* n = value.as_int()) {
    Int(*n);
  } else if (const std::string_view* text = value.as_text()) {
    Text(*text);
  } else if (const Array* items = value.as_array()) {
    BeginArray(items->size());
    for (const Value& item : *items) Put(item);
  } else if (const Map* members = value.as_map()) {
    BeginMap(members->size());
    for (const auto& [key, member] : *members) {
      Text(key);
      Put(member);
    }
  }
}

}  // namespace parley::protocol
