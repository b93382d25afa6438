// The JSON Schema (2020-12) of a described struct, as text: for the documents of the socket and of HTTP,
// which are made from the structs themselves. Structs and enumerations become schemas with a name, defined
// once and referred to everywhere else, so that a generator of code makes one type of each.
//
// Thread contract: any thread; a NamedSchemas belongs to one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <type_traits>

#include "protocol/schema.h"

namespace parley::protocol {

// The named schemas of one document.
class NamedSchemas {
 public:
  using Make = std::string (*)(NamedSchemas*);

  // Returns {"$ref": "#/components/schemas/NAME"}, and calls `make` for the schema on the first use of a
  // name. If two types share a name but differ, the second one's name gets a digit; a test rejects such
  // names.
  std::string Refer(const std::string& name, Make make);
  const std::string& TextOf(const std::string& name) const { return all_.at(name).text; }
  std::string AllText() const;  // {"Message": {…}, …}

 private:
  struct Named {
    Make make;
    std::string text;  // empty while it is made
  };
  std::map<std::string, Named> all_;
};

namespace schema_internal {

template <class T>
struct OptionalOf {};
template <class T>
struct OptionalOf<std::optional<T>> {
  using type = T;
};
template <class T>
struct OptionalOf<Clearable<T>> {
  using type = T;
};
template <class T>
struct OptionalOf<Omit<T>> {
  using type = T;
};
template <class T>
struct ListOf {};
template <class T, size_t N>
struct ListOf<List<T, N>> {
  using type = T;
};
template <class T>
struct KindOfId {};
template <class Kind>
struct KindOfId<ServerId<Kind>> : Kind {};
template <class T>
struct DictionaryOf {};
template <class T>
struct DictionaryOf<Dictionary<T>> {
  using type = T;
};
template <class T>
struct EncodedKind {
  static constexpr int kKind = 0;
};
template <class T>
struct EncodedKind<EncodedOf<T>> {
  static constexpr int kKind = 1;
  using type = T;
};
template <class T>
struct EncodedKind<EncodedListOf<T>> {
  static constexpr int kKind = 2;
  using type = T;
};

// As JSON texts.
std::string NullableSchema(std::string schema);
std::string PatternSchema(std::string_view pattern);
std::string ServerIdSchema(std::string_view prefix);
std::string TenantIdSchema();
std::string EnumSchema(const std::string_view* names, size_t count);
std::string IntegerSchema(int64_t low, int64_t high);
std::string ListSchema(std::string items, size_t max);  // 0: no limit
// From the compiler's name of a function template with one parameter T.
std::string NameOfType(std::string_view function);

// Adds members one by one.
class ObjectSchema {
 public:
  void Add(std::string_view name, std::string schema, std::string_view about, bool required);
  std::string Text() const;

 private:
  std::string properties_, required_;
};

}  // namespace schema_internal

// The name of a type in documents: its C++ name without namespaces. "Message" of protocol::Message,
// "MessageSendArgs" of protocol::MessageSend::Args, "TenantKeyPage" of gateway::Page<TenantKey>. A type that
// shares its name with another one has a kSchemaName.
template <class T>
std::string SchemaName() {
  if constexpr (requires { T::kSchemaName; }) return std::string(T::kSchemaName);
  return schema_internal::NameOfType(__PRETTY_FUNCTION__);
}

template <class T>
std::string JsonSchema(NamedSchemas* named);

namespace schema_internal {

template <Described T>
std::string DescribedSchema(NamedSchemas* named) {
  ObjectSchema out;
  auto add = [&]<class C, class M>(std::string_view name, M C::*, std::string_view about) {
    constexpr bool required = !IsOptional<M>::value && !IsOmit<M>::value && !IsClearable<M>::value;
    out.Add(name, JsonSchema<M>(named), about, required);
  };
  T::Fields(add);
  return out.Text();
}

template <NamedEnum T>
std::string NamesSchema(NamedSchemas*) {
  return EnumSchema(EnumNames<T>::kNames, std::size(EnumNames<T>::kNames));
}

}  // namespace schema_internal

template <class T>
std::string JsonSchema(NamedSchemas* named) {
  namespace in = schema_internal;
  static_assert(sizeof(T) > 0, "include the header that defines the type");
  if constexpr (in::IsOptional<T>::value || in::IsClearable<T>::value) {
    return in::NullableSchema(JsonSchema<typename in::OptionalOf<T>::type>(named));
  } else if constexpr (in::IsOmit<T>::value) {
    return JsonSchema<typename in::OptionalOf<T>::type>(named);
  } else if constexpr (in::EncodedKind<T>::kKind == 1) {
    return JsonSchema<typename in::EncodedKind<T>::type>(named);
  } else if constexpr (in::EncodedKind<T>::kKind == 2) {
    return in::ListSchema(JsonSchema<typename in::EncodedKind<T>::type>(named), 0);
  } else if constexpr (in::IsList<T>::value) {
    return in::ListSchema(JsonSchema<typename in::ListOf<T>::type>(named), T::kMax);
  } else if constexpr (in::IsDictionary<T>::value) {
    return R"({"type":"object","additionalProperties":)" +
           JsonSchema<typename in::DictionaryOf<T>::type>(named) + "}";
  } else if constexpr (Described<T>) {
    return named->Refer(SchemaName<T>(), &in::DescribedSchema<T>);
  } else if constexpr (NamedEnum<T>) {
    return named->Refer(SchemaName<T>(), &in::NamesSchema<T>);
  } else if constexpr (requires { in::KindOfId<T>::kPrefix; }) {
    return in::ServerIdSchema(in::KindOfId<T>::kPrefix);
  } else if constexpr (std::is_same_v<T, ClientId>) {
    return in::PatternSchema("^[ -~]{1,64}$");
  } else if constexpr (requires { T::kSchemaPattern; }) {
    return in::PatternSchema(T::kSchemaPattern);
  } else if constexpr (in::TextId<T>) {
    return in::TenantIdSchema();
  } else if constexpr (std::is_same_v<T, Time>) {
    return R"({"type":"string","format":"date-time"})";
  } else if constexpr (in::IsText<T>::value) {
    return R"({"type":"string","maxLength":)" + std::to_string(T::kMax) + "}";
  } else if constexpr (in::IsBounded<T>::value) {
    return []<int64_t L, int64_t H>(Bounded<L, H>*) {
      return in::IntegerSchema(L, H);
    }(static_cast<T*>(nullptr));
  } else if constexpr (std::is_same_v<T, bool>) {
    return R"({"type":"boolean"})";
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return R"({"type":"integer"})";
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, KeyText> ||
                       std::is_same_v<T, Body>) {
    return R"({"type":"string"})";
  } else {
    return "{}";  // any value: a tab's content, or an item with its kind beside it
  }
}

}  // namespace parley::protocol
