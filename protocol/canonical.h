// One encoding for all requests with the same content: the given members, ordered by name. Two requests have
// the same encoding exactly if their content is the same, whatever their wire encoding and argument order,
// and however many optional arguments later versions add.
//
// It cannot be decoded, so the wire and the rows do not use it.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/schema.h"

namespace parley::protocol {

template <class T>
void PutCanonical(Writer& w, const T& v);
void PutCanonical(Writer& w, const Value& v);
void PutCanonical(Writer& w, const Json& v);

namespace canonical_internal {

// The places of a struct's fields, by name.
template <Described T>
constexpr auto ByName() {
  std::array<std::string_view, CountFields<T>()> names;
  size_t count = 0;
  auto add = [&](std::string_view name, auto, std::string_view) { names[count++] = name; };
  T::Fields(add);
  std::array<size_t, names.size()> order{};
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return names[a] < names[b]; });
  return order;
}

template <class M>
bool Given(const M& member) {
  namespace in = schema_internal;
  if constexpr (in::IsClearable<M>::value) return member.present;
  if constexpr (in::IsOptional<M>::value) return member.has_value();
  if constexpr (in::IsOmit<M>::value) return member.value.has_value();
  return true;
}

template <class M>
void PutMember(Writer& w, const void* member) {
  PutCanonical(w, *static_cast<const M*>(member));
}

struct Member {
  std::string_view name;
  void (*put)(Writer& w, const void* member);  // nullptr: the member was not given
  const void* member;
};
void PutInOrder(Writer& w, std::span<const Member> members, std::span<const size_t> order);

template <Described T>
void PutGiven(Writer& w, const T& v) {
  static constexpr auto kOrder = ByName<T>();
  std::array<Member, kOrder.size()> members;
  size_t count = 0;
  auto add = [&]<class C, class M>(std::string_view name, M C::*member, std::string_view) {
    members[count++] = {name, Given(v.*member) ? &PutMember<M> : nullptr, &(v.*member)};
  };
  T::Fields(add);
  PutInOrder(w, members, kOrder);
}

}  // namespace canonical_internal

template <class T>
void PutCanonical(Writer& w, const T& v) {
  namespace in = schema_internal;
  if constexpr (Described<T>) {
    canonical_internal::PutGiven(w, v);
  } else if constexpr (in::IsOptional<T>::value) {
    PutCanonical(w, *v);
  } else if constexpr (in::IsOmit<T>::value) {
    PutCanonical(w, *v.value);
  } else if constexpr (in::IsClearable<T>::value) {
    if (!v.value) return w.Nil();
    PutCanonical(w, *v.value);
  } else if constexpr (in::IsList<T>::value) {
    w.BeginArray(v.items.size());
    for (const auto& item : v.items) PutCanonical(w, item);
  } else {
    static_assert(!in::IsDictionary<T>::value, "no command takes one");
    Put(w, v);
  }
}

template <class T>
std::string CanonicalBytes(const T& v) {
  Writer w;
  PutCanonical(w, v);
  return w.Take();
}

}  // namespace parley::protocol
