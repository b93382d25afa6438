#include "protocol/bind.h"

#include "protocol/base/clusters.h"
#include "protocol/writer.h"

namespace parley::protocol {
namespace {

constexpr const char* kUnusableText =
    "holds U+0000, half of a surrogate pair, or a member called __proto__, constructor or prototype";

// Returns why no field accepts the value, by anything in its tree, or nullptr.
const char* Unusable(const Value& v) {
  if (v.is_unusable_number()) return "holds a number that is no integer of at most 2^53-1";
  if (v.is_unusable_text()) return kUnusableText;
  if (const Array* items = v.as_array()) {
    for (const Value& item : *items) {
      if (const char* what = Unusable(item)) return what;
    }
  }
  if (const Map* members = v.as_map()) {
    for (const auto& [key, member] : *members) {
      if (const char* what = Unusable(member)) return what;
    }
  }
  return nullptr;
}

// Sets *out and returns nullptr, or returns the fault.
const char* TextOf(const Value& v, std::string_view* out) {
  const std::string_view* text = v.as_text();
  if (!text) return v.is_unusable_text() ? kUnusableText : "must be text";
  *out = *text;
  return nullptr;
}

const char* BoundedTextOf(const Value& v, size_t max, std::string_view* out) {
  if (const char* what = TextOf(v, out)) return what;
  return out->size() > max ? "is too long" : nullptr;
}

}  // namespace

const char* Read(const Value& v, bool* out) {
  const bool* b = v.as_bool();
  if (!b) return "must be true or false";
  *out = *b;
  return nullptr;
}

const char* Read(const Value& v, int64_t* out) {
  const int64_t* n = v.as_int();
  if (!n) return "must be an integer of at most 2^53-1";
  *out = *n;
  return nullptr;
}

const char* Read(const Value& v, std::string* out) {
  std::string_view text;
  if (const char* what = TextOf(v, &text)) return what;
  out->assign(text);
  return nullptr;
}

const char* Read(const Value& v, KeyText* out) {
  return ReadText(v, std::string_view::npos, out);
}

const char* Read(const Value& v, Body* out) {
  return Read(v, &out->value);
}

const char* Read(const Value& v, Time* out) {
  const std::string_view* text = v.as_text();
  const auto time = text ? ParseTime(*text) : std::nullopt;
  if (!time) return "must be a time such as 2025-11-05T14:12:07.123Z";
  *out = *time;
  return nullptr;
}

const char* Read(const Value& v, Json* out) {
  if (const char* what = Unusable(v)) return what;
  Writer w;
  w.Put(v);
  out->msgpack = w.Take();
  return nullptr;
}

const char* ReadText(const Value& v, size_t max, std::string* out) {
  std::string_view text;
  if (const char* what = BoundedTextOf(v, max, &text)) return what;
  out->assign(text);
  return nullptr;
}

const char* ReadText(const Value& v, size_t max, KeyText* out) {
  std::string_view text;
  if (const char* what = BoundedTextOf(v, max, &text)) return what;
  auto sound = KeyText::From(text);
  if (!sound) return kUnusableText;
  *out = *std::move(sound);
  return nullptr;
}

const char* ReadBounded(const Value& v, int64_t low, int64_t high, int64_t* out) {
  const int64_t* n = v.as_int();
  if (!n || *n < low || *n > high) return "is not an integer within its bounds";
  *out = *n;
  return nullptr;
}

Error UnknownField(std::string_view name) {
  constexpr size_t kShown = 64;
  Error error = Error::BadRequest("unknown field");
  error.fields.emplace_back(FirstBytes(name, kShown), "unknown field");
  return error;
}

namespace schema_internal {

Status Wrong(std::string_view path, const char* what) {
  return Error::BadField(std::string(path), what);
}

Status WrongWithin(std::string_view path, Error nested) {
  for (auto& [name, what] : nested.fields) name = std::string(path) + "." + name;
  return nested;
}

Status BindMap(const Value& value, std::span<const Place> places) {
  const Map* map = value.as_map();
  if (!map) return Error::BadRequest("a map is expected");
  size_t known = 0;
  for (const Place& place : places) {
    const Value* v = value.Find(place.name);
    known += v != nullptr;
    PARLEY_CHECK_OK(place.read(place.name, v, place.member));
  }
  if (known == map->size()) return Ok();
  for (const auto& [name, v] : *map) {
    const auto called = [&, n = name](const Place& place) { return place.name == n; };
    if (std::none_of(places.begin(), places.end(), called)) return UnknownField(name);
  }
  return Ok();
}

}  // namespace schema_internal

}  // namespace parley::protocol
