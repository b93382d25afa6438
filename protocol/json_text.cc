// MessagePack to JSON text in one pass, without an intermediate tree: time and memory are linear in the size,
// whatever the shape of the maps.
#define MSGPACK_NO_BOOST
#include <array>
#include <charconv>
#include <msgpack.hpp>

#include "protocol/base/json_text.h"
#include "protocol/json_size.h"
#include "protocol/writer.h"

namespace parley::protocol {
namespace {

// A comma follows every element; the closing bracket overwrites the last one.
class Printer : public msgpack::null_visitor {
 public:
  explicit Printer(std::string* out) : out_(*out) {}

  bool visit_nil() { return Put("null"); }
  bool visit_boolean(bool v) { return Put(v ? "true" : "false"); }
  bool visit_positive_integer(uint64_t v) { return PutNumber(v); }
  bool visit_negative_integer(int64_t v) { return PutNumber(v); }
  bool visit_str(const char* v, uint32_t size) { return PutText({v, size}); }
  bool start_array(uint32_t) { return Put("["); }
  bool end_array_item() { return Put(","); }
  bool end_array() { return Close(']'); }
  bool start_map(uint32_t) { return Put("{"); }
  bool end_map_key() { return Put(":"); }
  bool end_map_value() { return Put(","); }
  bool end_map() { return Close('}'); }

 private:
  bool Put(std::string_view text) {
    out_ += text;
    return true;
  }
  bool Close(char bracket) {
    if (out_.back() == ',') {
      out_.back() = bracket;
    } else {
      out_ += bracket;
    }
    return true;
  }
  bool PutNumber(auto n) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof(digits), n).ptr;
    return Put({digits, static_cast<size_t>(end - digits)});
  }
  bool PutText(std::string_view text) {
    AppendJsonText(text, &out_);
    return true;
  }

  std::string& out_;
};

// How many bytes Printer writes for each byte of a text.
constexpr std::array<uint8_t, 256> kTextBytes = [] {
  std::array<uint8_t, 256> out{};
  for (size_t i = 0; i < out.size(); ++i) {
    const char escape = JsonEscapeOf(static_cast<char>(i));
    out[i] = !escape ? 1 : escape == 'u' ? 6 : 2;
  }
  return out;
}();

// Counts the bytes that Printer would print.
class JsonByteCounter : public msgpack::null_visitor {
 public:
  size_t bytes() const { return bytes_; }

  bool visit_nil() { return Add(4); }
  bool visit_boolean(bool v) { return Add(v ? 4 : 5); }
  bool visit_positive_integer(uint64_t v) { return AddNumber(v); }
  bool visit_negative_integer(int64_t v) { return AddNumber(v); }
  bool visit_str(const char* v, uint32_t size) {
    size_t bytes = 2;
    for (uint32_t i = 0; i < size; ++i) bytes += kTextBytes[static_cast<unsigned char>(v[i])];
    return Add(bytes);
  }
  // A colon or comma follows each element; the closing bracket replaces the last one.
  bool start_array(uint32_t size) { return Add(size == 0 ? 2 : 1); }
  bool end_array_item() { return Add(1); }
  bool start_map(uint32_t size) { return Add(size == 0 ? 2 : 1); }
  bool end_map_key() { return Add(1); }
  bool end_map_value() { return Add(1); }

 private:
  bool Add(size_t bytes) {
    bytes_ += bytes;
    return true;
  }
  bool AddNumber(auto n) {
    char digits[20];
    return Add(static_cast<size_t>(std::to_chars(digits, digits + sizeof(digits), n).ptr - digits));
  }

  size_t bytes_ = 0;
};

}  // namespace

size_t JsonSize(std::string_view msgpack) {
  JsonByteCounter counter;
  for (size_t at = 0; at < msgpack.size();) {
    const size_t from = at;
    msgpack::parse(msgpack.data(), msgpack.size(), at, counter);
    if (at == from) break;
  }
  return counter.bytes();
}

std::string MsgpackToJson(std::string_view msgpack) {
  std::string out;
  out.reserve(msgpack.size() + msgpack.size() / 4);
  Printer printer(&out);
  msgpack::parse(msgpack.data(), msgpack.size(), printer);
  return out;
}

}  // namespace parley::protocol
