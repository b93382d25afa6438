// The types that a field of a described struct can have (schema.h): bounded text, numbers and lists, optional
// values, values spliced in unchanged, and enumerations by name.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "protocol/base/key_text.h"
#include "protocol/value.h"

namespace parley::protocol {

// Text of at most N bytes. Longer text is BAD_REQUEST.
template <size_t N>
struct Text {
  static constexpr size_t kMax = N;
  std::string value;
  friend bool operator==(const Text&, const Text&) = default;
};

// The same for text that becomes part of a key: the field's type guarantees it from the frame to the row.
template <size_t N>
struct KeyableText {
  static constexpr size_t kMax = N;
  KeyText value;
  friend bool operator==(const KeyableText&, const KeyableText&) = default;
};

// A message body. The domain sets its limit (TOO_LARGE), so any length that fits the frame decodes.
struct Body {
  std::string value;
};

// An integer within bounds.
template <int64_t Low, int64_t High>
struct Bounded {
  int64_t value = Low;
  friend bool operator==(const Bounded&, const Bounded&) = default;
};
using PageLimit = Bounded<1, 200>;
using Seq = Bounded<0, kMaxSafeInteger>;

// Any value, kept as MessagePack; may contain integers, text, booleans, lists and maps. The domain bounds its
// size.
struct Json {
  std::string msgpack;
  friend bool operator==(const Json&, const Json&) = default;
};

// A list of at most N elements. Longer is BAD_REQUEST.
template <class T, size_t N>
struct List {
  static constexpr size_t kMax = N;
  std::vector<T> items;
  friend bool operator==(const List&, const List&) = default;
};

template <class T>
struct Clearable {
  bool present = false;
  std::optional<T> value;
};

template <class T>
struct Omit {
  std::optional<T> value;
  friend bool operator==(const Omit&, const Omit&) = default;
};

// One encoded value, spliced into a reply unchanged.
struct Encoded {
  std::string msgpack;
};
// A list of encoded values: `count` of them, one after another.
struct EncodedList {
  size_t count = 0;
  std::string msgpack;
  // Reserves `most` values of `each` bytes plus the envelope (Writer::Adopt), so that a page is not copied
  // while it grows.
  void MakeRoom(size_t most, size_t each) { msgpack.reserve(std::min(most * each, kRoomMost) + kAround); }

 private:
  static constexpr size_t kRoomMost = 32 * 1024;  // the most that stays empty if the values are smaller
  static constexpr size_t kAround = 1024;
};
// The same, with the type of the encoded values (for the manual).
template <class T>
struct EncodedOf : Encoded {};
template <class T>
struct EncodedListOf : EncodedList {};

// A map from text to T.
template <class T>
struct Dictionary {
  std::vector<std::pair<std::string, T>> members;
};

// Enumerations: EnumNames<E>::kNames[i] is the name of value i.
template <class E>
struct EnumNames;
template <class E>
concept NamedEnum = std::is_enum_v<E> && requires {
  EnumNames<E>::kNames;
};
template <NamedEnum E>
constexpr std::string_view NameOf(E value) {
  return EnumNames<E>::kNames[static_cast<size_t>(value)];
}
template <NamedEnum E>
std::optional<E> EnumFromName(std::string_view name) {
  for (size_t i = 0; i < std::size(EnumNames<E>::kNames); ++i) {
    if (EnumNames<E>::kNames[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

// Compile-time questions about a struct with Fields().
namespace schema_internal {
struct AnyField {
  template <class C, class M>
  void operator()(std::string_view name, M C::*member, std::string_view doc);
};
}  // namespace schema_internal
template <class T>
concept Described = requires(schema_internal::AnyField& field) {
  T::Fields(field);
};
template <Described T>
constexpr size_t CountFields() {
  size_t count = 0;
  auto add = [&](std::string_view, auto, std::string_view) { ++count; };
  T::Fields(add);
  return count;
}

// Type traits that tell these types apart, for code generated from a description.
namespace schema_internal {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsClearable : std::false_type {};
template <class T>
struct IsClearable<Clearable<T>> : std::true_type {};
template <class T>
struct IsOmit : std::false_type {};
template <class T>
struct IsOmit<Omit<T>> : std::true_type {};
template <class T>
struct IsText : std::false_type {};
template <size_t N>
struct IsText<Text<N>> : std::true_type {};
template <size_t N>
struct IsText<KeyableText<N>> : std::true_type {};
template <class T>
struct IsBounded : std::false_type {};
template <int64_t L, int64_t H>
struct IsBounded<Bounded<L, H>> : std::true_type {};
template <class T>
struct IsList : std::false_type {};
template <class T, size_t N>
struct IsList<List<T, N>> : std::true_type {};
template <class T>
struct IsDictionary : std::false_type {};
template <class T>
struct IsDictionary<Dictionary<T>> : std::true_type {};
template <class T>
concept TextId = requires(std::string_view s) {
  { T::FromText(s) } -> std::same_as<std::optional<T>>;
};

}  // namespace schema_internal

}  // namespace parley::protocol
