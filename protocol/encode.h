// Encodes structs with Fields() as MessagePack.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "protocol/base/ids.h"
#include "protocol/field_types.h"
#include "protocol/writer.h"

namespace parley::protocol {

template <class T>
void Put(Writer& w, const T& v);

namespace schema_internal {

template <class M>
bool IsWritten(const M& member) {
  if constexpr (IsOmit<M>::value) return member.value.has_value();
  return true;
}

}  // namespace schema_internal

// `put` writes a member.
template <class T, class F>
void PutMembers(Writer& w, T& v, F&& put) {
  size_t members = 0;
  auto count = [&](std::string_view, auto member, std::string_view) {
    members += schema_internal::IsWritten(v.*member);
  };
  T::Fields(count);
  w.BeginMap(members);
  auto write = [&](std::string_view name, auto member, std::string_view) {
    if (!schema_internal::IsWritten(v.*member)) return;
    w.Text(name);
    put(v.*member);
  };
  T::Fields(write);
}

template <Described T>
void PutMap(Writer& w, const T& v) {
  PutMembers(w, v, [&w](const auto& member) { Put(w, member); });
}

template <class T>
void Put(Writer& w, const T& v) {
  namespace in = schema_internal;
  if constexpr (Described<T>) {
    PutMap(w, v);
  } else if constexpr (in::IsOptional<T>::value) {
    if (v) {
      Put(w, *v);
    } else {
      w.Nil();
    }
  } else if constexpr (in::IsOmit<T>::value || in::IsClearable<T>::value) {
    if (v.value) {
      Put(w, *v.value);
    } else {
      w.Nil();
    }
  } else if constexpr (NamedEnum<T>) {
    w.Text(NameOf(v));
  } else if constexpr (in::IsList<T>::value) {
    w.BeginArray(v.items.size());
    for (const auto& item : v.items) Put(w, item);
  } else if constexpr (in::TextId<T>) {
    w.Text(v.ToText());
  } else if constexpr (std::is_same_v<T, Json> || std::is_base_of_v<Encoded, T>) {
    w.Raw(v.msgpack);
  } else if constexpr (std::is_base_of_v<EncodedList, T>) {
    w.BeginArray(v.count);
    w.Raw(v.msgpack);
  } else if constexpr (in::IsDictionary<T>::value) {
    w.BeginMap(v.members.size());
    for (const auto& [name, member] : v.members) {
      w.Text(name);
      Put(w, member);
    }
  } else if constexpr (std::is_same_v<T, Time>) {
    w.Text(FormatTime(v));
  } else if constexpr (std::is_same_v<T, bool>) {
    w.Bool(v);
  } else if constexpr (std::is_same_v<T, int64_t>) {
    w.Int(v);
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, KeyText>) {
    w.Text(v);
  } else if constexpr (in::IsBounded<T>::value) {
    w.Int(v.value);
  } else {
    w.Text(v.value);  // Text<N>, KeyableText<N>, Body
  }
}

template <class T>
std::string Encode(const T& v) {
  Writer w;
  Put(w, v);
  return w.Take();
}

// The same for a page that the caller gives away: its list is not copied.
template <Described T>
std::string EncodePage(T&& page) requires(!std::is_reference_v<T>) {
  Writer w;
  PutMembers(w, page, [&w](auto& member) {
    if constexpr (std::is_base_of_v<EncodedList, std::remove_reference_t<decltype(member)>>) {
      w.BeginArray(member.count);
      w.Adopt(std::move(member.msgpack));
    } else {
      Put(w, member);
    }
  });
  return w.Take();
}

}  // namespace parley::protocol
