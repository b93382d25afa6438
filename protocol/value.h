// A decoded frame as a tree, the same for both encodings. Bounded before memory is allocated (DecodeLimits),
// read-only afterwards. Text points into the document that owns it. Any thread may read a Document that no
// thread changes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace parley::protocol {

enum class Encoding : uint8_t { kMsgpack, kJson };

inline constexpr int64_t kMaxSafeInteger = (int64_t{1} << 53) - 1;

class Value;
using Array = std::vector<Value>;
using Map = std::vector<std::pair<std::string_view, Value>>;

// A non-integer number, or one beyond 2^53-1. It decodes, but no field accepts it: the request is
// BAD_REQUEST.
struct UnusableNumber {};
// Text that contains a U+0000, or the value of a map's member whose name contains one, if DecodeLimits
// forbids it. No field accepts it either.
struct UnusableText {};

class Value {
 public:
  Value() = default;
  explicit Value(bool b) : data_(b) {}
  explicit Value(int64_t n) : data_(n) {}
  explicit Value(UnusableNumber n) : data_(n) {}
  explicit Value(UnusableText t) : data_(t) {}
  explicit Value(std::string_view s) : data_(s) {}
  explicit Value(Array a) : data_(std::move(a)) {}
  explicit Value(Map m) : data_(std::move(m)) {}
  // Out of line, because every file that includes this would compile them again.
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();

  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  const bool* as_bool() const { return std::get_if<bool>(&data_); }
  const int64_t* as_int() const { return std::get_if<int64_t>(&data_); }
  const std::string_view* as_text() const { return std::get_if<std::string_view>(&data_); }
  const Array* as_array() const { return std::get_if<Array>(&data_); }
  const Map* as_map() const { return std::get_if<Map>(&data_); }
  Array* as_array() { return std::get_if<Array>(&data_); }
  Map* as_map() { return std::get_if<Map>(&data_); }
  bool is_unusable_number() const { return std::holds_alternative<UnusableNumber>(data_); }
  bool is_unusable_text() const { return std::holds_alternative<UnusableText>(data_); }

  // The member of a map, or nullptr.
  const Value* Find(std::string_view key) const;

 private:
  std::variant<std::monostate, bool, int64_t, UnusableNumber, UnusableText, std::string_view, Array, Map>
      data_;
};

// A tree together with the bytes that its text points into.
struct Document {
  Value root;
  std::shared_ptr<const void> storage;
};

struct DecodeLimits {
  size_t max_bytes = 256 * 1024;
  int max_depth = 32;  // containers within containers; the frame's own map is 1
  // Values of the whole frame without keys: enough for ten thousand participants with all their fields.
  size_t max_values = 32'768;
  // Text is bounded by max_bytes: a length that claims more than the remaining bytes is rejected when it is
  // read.

  // Whether text may contain U+0000. Requests may not; rows written before that rule may.
  bool nul = true;
};

// Rejects input that does not decode, exceeds a bound, repeats a key, has trailing bytes, contains text that
// is not UTF-8, or (MessagePack) uses bin, ext or a key that is not text. All of these are close code 1007.
// On success fills *out; on failure leaves it unchanged and returns a sentence for the log.
[[nodiscard]] const char* DecodeMsgpack(std::string bytes, const DecodeLimits& limits, Document* out);
[[nodiscard]] const char* DecodeJson(std::string bytes, const DecodeLimits& limits, Document* out);
[[nodiscard]] const char* Decode(Encoding encoding, std::string bytes, const DecodeLimits& limits,
                                 Document* out);

bool IsUtf8(std::string_view text);

// Builds the tree for both decoders: enforces depth, count and unique keys as values arrive.
class TreeBuilder {
 public:
  explicit TreeBuilder(const DecodeLimits& limits) : limits_(limits) {}

  bool Scalar(Value value);
  bool Key(std::string_view key);
  bool Begin(bool is_map, size_t claimed);  // `claimed` elements, 0 if the encoding has no count
  bool End();
  const char* fault() const { return fault_; }
  bool complete() const { return done_; }
  Value Take() { return std::move(root_); }

 private:
  bool Fail(const char* why) {
    fault_ = why;
    return false;
  }
  bool Place(Value value);

  struct Level {
    bool is_map;
    Array items;
    Map members;
    std::string_view key;
  };
  const DecodeLimits& limits_;
  std::vector<Level> open_;
  size_t values_ = 0;
  bool done_ = false;
  Value root_;
  const char* fault_ = nullptr;
};

}  // namespace parley::protocol
