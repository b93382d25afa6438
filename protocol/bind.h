// Decodes frames and rows into structs with Fields().
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "protocol/base/ids.h"
#include "protocol/base/result.h"
#include "protocol/field_types.h"
#include "protocol/value.h"

namespace parley::protocol {

// Each of these returns nullptr, or the fault for the error's `fields`.
const char* Read(const Value& v, bool* out);
const char* Read(const Value& v, int64_t* out);
const char* Read(const Value& v, std::string* out);
const char* Read(const Value& v, KeyText* out);
const char* Read(const Value& v, Body* out);
const char* Read(const Value& v, Time* out);
const char* Read(const Value& v, Json* out);
const char* ReadText(const Value& v, size_t max, std::string* out);
const char* ReadText(const Value& v, size_t max, KeyText* out);
const char* ReadBounded(const Value& v, int64_t low, int64_t high, int64_t* out);
template <size_t N>
const char* Read(const Value& v, Text<N>* out) {
  return ReadText(v, N, &out->value);
}
template <size_t N>
const char* Read(const Value& v, KeyableText<N>* out) {
  return ReadText(v, N, &out->value);
}
template <int64_t Low, int64_t High>
const char* Read(const Value& v, Bounded<Low, High>* out) {
  return ReadBounded(v, Low, High, &out->value);
}
template <NamedEnum E>
const char* Read(const Value& v, E* out) {
  const std::string_view* text = v.as_text();
  const auto found = text ? EnumFromName<E>(*text) : std::nullopt;
  if (!found) return "is not one of the known values";
  *out = *found;
  return nullptr;
}
template <schema_internal::TextId T>
const char* Read(const Value& v, T* out) {
  const std::string_view* text = v.as_text();
  auto id = text ? T::FromText(*text) : std::nullopt;
  if (!id) return "is not a valid id";
  *out = std::move(*id);
  return nullptr;
}

// Names the field in `fields` only, cut at a character boundary: messages are logged, and the name came from
// the client.
Error UnknownField(std::string_view name);

namespace schema_internal {

// One field of the struct being filled: its name, its address, and the function that reads it from the given
// value (nullptr if there was none).
struct Place {
  std::string_view name;
  Status (*read)(std::string_view name, const Value* v, void* member);
  void* member;
};
Status BindMap(const Value& value, std::span<const Place> places);

Status Wrong(std::string_view path, const char* what);
Status WrongWithin(std::string_view path, Error nested);

}  // namespace schema_internal

template <Described T>
Status Bind(const Value& value, T* out);

// Reads one value into *out; the error names it by `path`.
template <class T>
Status ReadField(std::string_view path, const Value& v, T* out) {
  const char* what = Read(v, out);
  return what ? schema_internal::Wrong(path, what) : Ok();
}
template <Described T>
Status ReadField(std::string_view path, const Value& v, T* out) {
  auto nested = Bind(v, out);
  return nested.ok() ? Ok() : schema_internal::WrongWithin(path, std::move(nested.error()));
}
template <class T, size_t N>
Status ReadField(std::string_view path, const Value& v, List<T, N>* out) {
  const Array* items = v.as_array();
  if (!items) return schema_internal::Wrong(path, "must be a list");
  if (items->size() > N) return schema_internal::Wrong(path, "has too many elements");
  out->items.resize(items->size());
  for (size_t i = 0; i < items->size(); ++i) PARLEY_CHECK_OK(ReadField(path, (*items)[i], &out->items[i]));
  return Ok();
}
template <class T>
Status ReadField(std::string_view path, const Value& v, Dictionary<T>* out) {
  const Map* members = v.as_map();
  if (!members) return schema_internal::Wrong(path, "must be a map");
  for (const auto& [name, member] : *members) {
    auto& added = out->members.emplace_back(std::string(name), T());
    PARLEY_CHECK_OK(ReadField(path, member, &added.second));
  }
  return Ok();
}

namespace schema_internal {

template <class M>
Status ReadMember(std::string_view name, const Value* v, void* place) {
  M& member = *static_cast<M*>(place);
  const bool given = v && !v->is_null();
  if constexpr (IsClearable<M>::value) member.present = v != nullptr;
  if constexpr (IsOptional<M>::value) {
    return given ? ReadField(name, *v, &member.emplace()) : Ok();
  } else if constexpr (IsClearable<M>::value || IsOmit<M>::value) {
    return given ? ReadField(name, *v, &member.value.emplace()) : Ok();
  } else {
    return given ? ReadField(name, *v, &member) : Wrong(name, "is required");
  }
}

}  // namespace schema_internal

// Fills *out from a map; an unknown field is BAD_REQUEST.
template <Described T>
Status Bind(const Value& value, T* out) {
  std::array<schema_internal::Place, CountFields<T>()> places;
  size_t count = 0;
  auto add = [&]<class C, class M>(std::string_view name, M C::*member, std::string_view) {
    places[count++] = {name, &schema_internal::ReadMember<M>, &(out->*member)};
  };
  T::Fields(add);
  return schema_internal::BindMap(value, places);
}

}  // namespace parley::protocol
