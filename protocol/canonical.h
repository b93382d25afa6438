// One encoding for everything that says the same: a map's members in order of their names, and only those
// that were given. Two requests agree in it exactly when their senders said the same, whichever encoding they
// used, in whatever order they named their arguments, and however many optional arguments later versions
// know.
//
// Not for the wire or for rows: it cannot be read back.
#pragma once

#include <algorithm>
#include <array>
#include <string>
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
  constexpr auto names = std::apply(
      [](const auto&... field) { return std::array<std::string_view, sizeof...(field)>{field.name...}; },
      T::Fields());
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

template <Described T>
void PutGiven(Writer& w, const T& v) {
  constexpr auto order = ByName<T>();
  const auto fields = T::Fields();
  w.BeginMap(std::apply(
      [&](const auto&... field) { return (size_t{0} + ... + size_t{Given(v.*(field.member))}); }, fields));
  const auto put = [&](const auto& field) {
    if (!Given(v.*(field.member))) return;
    w.Text(field.name);
    PutCanonical(w, v.*(field.member));
  };
  [&]<size_t... I>(std::index_sequence<I...>) {
    (put(std::get<order[I]>(fields)), ...);
  }
  (std::make_index_sequence<order.size()>());
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
