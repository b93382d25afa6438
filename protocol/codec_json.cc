// JSON, with nlohmann-json: the only file that parses it on the wire path. Input passes through the SAX
// interface into the same bounded tree as MessagePack; output is made from MessagePack (json_text.cc), so
// both encodings carry the same maps.
#include <deque>
#include <nlohmann/json.hpp>

#include "protocol/json_mend.h"
#include "protocol/value.h"

namespace parley::protocol {
namespace {

class Sax {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  Sax(const DecodeLimits& limits, std::deque<std::string>* texts) : builder_(limits), texts_(texts) {}

  bool null() { return builder_.Scalar(Value()); }
  bool boolean(bool v) { return builder_.Scalar(Value(v)); }
  bool number_integer(number_integer_t v) {
    return builder_.Scalar(v >= -kMaxSafeInteger ? Value(static_cast<int64_t>(v)) : Value(UnusableNumber{}));
  }
  bool number_unsigned(number_unsigned_t v) {
    return builder_.Scalar(v <= static_cast<uint64_t>(kMaxSafeInteger) ? Value(static_cast<int64_t>(v))
                                                                       : Value(UnusableNumber{}));
  }
  // Reads the digits: a double would make 0 of 1e-400, and 1 of 1.00000000000000001.
  bool number_float(number_float_t, const string_t& digits) {
    const auto integer = SafeIntegerOf(digits);
    return builder_.Scalar(integer ? Value(*integer) : Value(UnusableNumber{}));
  }
  bool string(string_t& v) { return builder_.Scalar(Value(Keep(v))); }
  bool binary(binary_t&) { return false; }
  bool start_object(size_t) { return builder_.Begin(true, 0); }
  bool key(string_t& v) { return builder_.Key(Keep(v)); }
  bool end_object() { return builder_.End(); }
  bool start_array(size_t) { return builder_.Begin(false, 0); }
  bool end_array() { return builder_.End(); }
  template <class Exception>
  bool parse_error(size_t, const std::string&, const Exception&) {
    fault_ = "malformed";
    return false;
  }

  const char* fault() const { return builder_.fault() ? builder_.fault() : fault_; }
  TreeBuilder& builder() { return builder_; }

 private:
  std::string_view Keep(string_t& text) { return texts_->emplace_back(std::move(text)); }

  TreeBuilder builder_;
  std::deque<std::string>* texts_;  // a deque, so that views stay valid as it grows
  const char* fault_ = nullptr;
};

const char* Parse(const std::string& bytes, const DecodeLimits& limits, Document* out) {
  auto texts = std::make_shared<std::deque<std::string>>();
  Sax sax(limits, texts.get());
  const bool parsed = nlohmann::json::sax_parse(bytes, &sax);
  if (sax.fault()) return sax.fault();
  if (!parsed || !sax.builder().complete()) return "malformed";
  out->root = sax.builder().Take();
  out->storage = std::move(texts);
  return nullptr;
}

}  // namespace

const char* DecodeJson(std::string bytes, const DecodeLimits& limits, Document* out) {
  if (bytes.size() > limits.max_bytes) return "too large";
  // The library treats a NUL as the end and would ignore the rest.
  if (bytes.find('\0') != std::string::npos) return "malformed";
  const char* why = Parse(bytes, limits, out);
  if (!why || limits.nul) return why;
  // The library rejects whole documents for one number or one escape.
  const auto mended = MendJson(bytes);
  return mended ? Parse(*mended, limits, out) : why;
}

}  // namespace parley::protocol
