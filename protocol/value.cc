#include "protocol/value.h"

#include <algorithm>

namespace parley::protocol {
namespace {

constexpr size_t kLinearKeys = 16;

bool HasDuplicate(const Map& members) {
  if (members.size() <= kLinearKeys) {
    for (size_t i = 1; i < members.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (members[i].first == members[j].first) return true;
      }
    }
    return false;
  }
  std::vector<std::string_view> keys;
  keys.reserve(members.size());
  for (const auto& [key, value] : members) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

bool HoldsNul(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

// Names that are reserved in JavaScript.
bool IsReserved(std::string_view name) {
  return name == "__proto__" || name == "constructor" || name == "prototype";
}

}  // namespace

Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

const Value* Value::Find(std::string_view key) const {
  const Map* map = as_map();
  if (!map) return nullptr;
  for (const auto& [name, value] : *map) {
    if (name == key) return &value;
  }
  return nullptr;
}

// Input that may not contain U+0000 (into which json_mend.h turns half of a surrogate pair) comes from a
// client. It may not use names either that would break the objects of a reader.
bool TreeBuilder::Place(Value value) {
  if (!limits_.nul) {
    const std::string_view* text = value.as_text();
    const bool named = !open_.empty() && open_.back().is_map;
    if ((named && (HoldsNul(open_.back().key) || IsReserved(open_.back().key))) || (text && HoldsNul(*text)))
      value = Value(UnusableText{});
  }
  if (open_.empty()) {
    root_ = std::move(value);
    done_ = true;
    return true;
  }
  Level& level = open_.back();
  if (level.is_map) {
    level.members.emplace_back(level.key, std::move(value));
  } else {
    level.items.push_back(std::move(value));
  }
  return true;
}

bool TreeBuilder::Scalar(Value value) {
  if (done_) return Fail("bytes after the frame");
  if (++values_ > limits_.max_values) return Fail("too many values");
  return Place(std::move(value));
}

bool TreeBuilder::Key(std::string_view key) {
  open_.back().key = key;
  return true;
}

bool TreeBuilder::Begin(bool is_map, size_t claimed) {
  if (done_) return Fail("bytes after the frame");
  if (++values_ > limits_.max_values) return Fail("too many values");
  if (open_.size() >= static_cast<size_t>(limits_.max_depth)) return Fail("nested too deeply");
  if (claimed > limits_.max_values - values_) return Fail("too many values");
  open_.push_back({is_map, {}, {}, {}});
  // Reserve only a little for a claimed size; the elements must arrive first.
  const size_t reserve = std::min<size_t>(claimed, 32);
  if (is_map) {
    open_.back().members.reserve(reserve);
  } else {
    open_.back().items.reserve(reserve);
  }
  return true;
}

bool TreeBuilder::End() {
  Level level = std::move(open_.back());
  open_.pop_back();
  if (level.is_map && HasDuplicate(level.members)) return Fail("duplicate key");
  return Place(level.is_map ? Value(std::move(level.members)) : Value(std::move(level.items)));
}

const char* Decode(Encoding encoding, std::string bytes, const DecodeLimits& limits, Document* out) {
  return encoding == Encoding::kMsgpack ? DecodeMsgpack(std::move(bytes), limits, out)
                                        : DecodeJson(std::move(bytes), limits, out);
}

bool IsUtf8(std::string_view text) {
  const auto* at = reinterpret_cast<const uint8_t*>(text.data());
  const auto* const end = at + text.size();
  const auto continues = [&](const uint8_t* p, uint8_t low, uint8_t high) {
    return p < end && *p >= low && *p <= high;
  };
  while (at < end) {
    const uint8_t lead = *at;
    if (lead < 0x80) {
      ++at;
    } else if (lead >= 0xc2 && lead <= 0xdf) {
      if (!continues(at + 1, 0x80, 0xbf)) return false;
      at += 2;
    } else if (lead >= 0xe0 && lead <= 0xef) {
      // After E0 a byte below A0 would be overlong; after ED a byte above 9F would be a surrogate.
      if (!continues(at + 1, lead == 0xe0 ? 0xa0 : 0x80, lead == 0xed ? 0x9f : 0xbf)) return false;
      if (!continues(at + 2, 0x80, 0xbf)) return false;
      at += 3;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      if (!continues(at + 1, lead == 0xf0 ? 0x90 : 0x80, lead == 0xf4 ? 0x8f : 0xbf)) return false;
      if (!continues(at + 2, 0x80, 0xbf) || !continues(at + 3, 0x80, 0xbf)) return false;
      at += 4;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace parley::protocol
