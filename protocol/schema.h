// The description language. A struct says once what its fields are called, of which type, and what they mean:
//
//   struct ReadMarkArgs {
//     ThreadId thread_id;
//     MessageId message_id;
//     static constexpr auto Fields() {
//       return std::tuple(Field("threadId", &ReadMarkArgs::thread_id, "the thread"),
//                         Field("messageId", &ReadMarkArgs::message_id, "the newest message that was read"));
//     }
//   };
//
// From that one place come the decoder of both encodings (Bind), the encoder (Put), and the JSON Schema of
// the manual (SchemaOf in asyncapi.cc). Whether a field may be missing follows from its type:
//
//   T              must be there (an error otherwise); always written
//   optional<T>    may be missing or null; written as null when empty
//   Clearable<T>   may be missing (no change) or null (clear); requests only
//   Omit<T>        left out of a reply when empty
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "protocol/base/ids.h"
#include "protocol/base/result.h"
#include "protocol/value.h"
#include "protocol/writer.h"

namespace parley::protocol {

template <class C, class M>
struct FieldDef {
  std::string_view name;
  M C::*member;
  std::string_view doc;
};
template <class C, class M>
constexpr FieldDef<C, M> Field(std::string_view name, M C::*member, std::string_view doc) {
  return {name, member, doc};
}

// Text of at most N bytes. Longer is BAD_REQUEST.
template <size_t N>
struct Text {
  static constexpr size_t kMax = N;
  std::string value;
  friend bool operator==(const Text&, const Text&) = default;
};

// The same of text that stands in a key, where the type of the field says so from the frame to the row.
template <size_t N>
struct KeyableText {
  static constexpr size_t kMax = N;
  KeyText value;
  friend bool operator==(const KeyableText&, const KeyableText&) = default;
};

// A message body: its limit is the domain's (TOO_LARGE), so any length that fits the frame decodes.
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

// Any value, kept as MessagePack; holds integers, text, booleans, lists and maps. The domain bounds its size.
struct Json {
  std::string msgpack;
  friend bool operator==(const Json&, const Json&) = default;
};

// A list of at most N elements. Longer is BAD_REQUEST.
template <class T, size_t N>
struct List {
  static constexpr size_t kMax = N;
  std::vector<T> items;
};

template <class T>
struct Clearable {
  bool present = false;
  std::optional<T> value;
};

template <class T>
struct Omit {
  std::optional<T> value;
};

// One encoded value, spliced as it is into a reply.
struct Encoded {
  std::string msgpack;
};
// A list of encoded values: `count` of them, one after another.
struct EncodedList {
  size_t count = 0;
  std::string msgpack;
};
// The same, saying what they are encodings of (for the manual).
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

template <class T>
concept Described = requires {
  T::Fields();
};

// --- reading

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

// Each of these returns nullptr, or what is wrong, for the error's `fields`.
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

// Names the field in `fields` only, cut at a character's end: messages go into the log, names are the
// client's.
Error UnknownField(std::string_view name);

template <Described T>
Status Bind(const Value& value, T* out);

// Reads one value into *out; `path` names it in the error.
template <class T>
Status ReadField(std::string_view path, const Value& v, T* out) {
  namespace in = schema_internal;
  const auto fail = [&](const char* what) -> Status { return Error::BadField(std::string(path), what); };
  if constexpr (Described<T>) {
    auto nested = Bind(v, out);
    if (nested.ok()) return Ok();
    Error error = std::move(nested.error());
    for (auto& [name, what] : error.fields) name = std::string(path) + "." + name;
    return error;
  } else if constexpr (NamedEnum<T>) {
    const std::string_view* text = v.as_text();
    const auto found = text ? EnumFromName<T>(*text) : std::nullopt;
    if (!found) return fail("is not one of the known values");
    *out = *found;
    return Ok();
  } else if constexpr (in::IsList<T>::value) {
    const Array* items = v.as_array();
    if (!items) return fail("must be a list");
    if (items->size() > T::kMax) return fail("has too many elements");
    out->items.resize(items->size());
    for (size_t i = 0; i < items->size(); ++i) PARLEY_CHECK_OK(ReadField(path, (*items)[i], &out->items[i]));
    return Ok();
  } else if constexpr (in::TextId<T>) {
    const std::string_view* text = v.as_text();
    auto id = text ? T::FromText(*text) : std::nullopt;
    if (!id) return fail("is not a valid id");
    *out = std::move(*id);
    return Ok();
  } else if constexpr (in::IsDictionary<T>::value) {
    const Map* members = v.as_map();
    if (!members) return fail("must be a map");
    for (const auto& [name, member] : *members) {
      auto& added = out->members.emplace_back(std::string(name),
                                              typename decltype(out->members)::value_type::second_type());
      PARLEY_CHECK_OK(ReadField(path, member, &added.second));
    }
    return Ok();
  } else {
    const char* what;
    if constexpr (in::IsText<T>::value) {
      what = ReadText(v, T::kMax, &out->value);
    } else if constexpr (in::IsBounded<T>::value) {
      what = [&]<int64_t L, int64_t H>(Bounded<L, H>* b) { return ReadBounded(v, L, H, &b->value); }(out);
    } else {
      what = Read(v, out);
    }
    return what ? fail(what) : Ok();
  }
}

template <class C, class M>
Status ReadMember(const FieldDef<C, M>& field, const Value* v, C* out) {
  namespace in = schema_internal;
  M& member = out->*(field.member);
  if constexpr (in::IsOptional<M>::value) {
    if (!v || v->is_null()) return Ok();
    return ReadField(field.name, *v, &member.emplace());
  } else if constexpr (in::IsClearable<M>::value) {
    if (!v) return Ok();
    member.present = true;
    if (v->is_null()) return Ok();
    return ReadField(field.name, *v, &member.value.emplace());
  } else if constexpr (in::IsOmit<M>::value) {
    if (!v || v->is_null()) return Ok();
    return ReadField(field.name, *v, &member.value.emplace());
  } else {
    if (!v || v->is_null()) return Error::BadField(std::string(field.name), "is required");
    return ReadField(field.name, *v, &member);
  }
}

// Fills *out from a map; unknown fields are BAD_REQUEST.
template <Described T>
Status Bind(const Value& value, T* out) {
  const Map* map = value.as_map();
  if (!map) return Error::BadRequest("a map is expected");
  size_t known = 0;
  Status status = Ok();
  std::apply(
      [&](const auto&... field) {
        ((status.ok() ? [&] {
            const Value* v = value.Find(field.name);
            if (v) ++known;
            status = ReadMember(field, v, out);
          }() : void()), ...);
      },
      T::Fields());
  if (!status.ok()) return status;
  if (known == map->size()) return Ok();
  for (const auto& [name, v] : *map) {
    const bool listed =
        std::apply([&, n = name](const auto&... field) { return ((field.name == n) || ...); }, T::Fields());
    if (!listed) return UnknownField(name);
  }
  return Ok();
}

// --- writing

template <class T>
void Put(Writer& w, const T& v);

template <Described T>
void PutMap(Writer& w, const T& v) {
  namespace in = schema_internal;
  std::apply(
      [&](const auto&... field) {
        const auto is_written = [&](const auto& member) {
          if constexpr (in::IsOmit<std::decay_t<decltype(member)>>::value) return member.value.has_value();
          return true;
        };
        w.BeginMap((size_t{0} + ... + static_cast<size_t>(is_written(v.*(field.member)))));
        [[maybe_unused]] const auto write = [&](std::string_view name, const auto& member) {
          if (!is_written(member)) return;
          w.Text(name);
          Put(w, member);
        };
        (write(field.name, v.*(field.member)), ...);
      },
      T::Fields());
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

}  // namespace parley::protocol
