// The members of a tenant's settings that belong to features. accounts/ stores them and does not know them: a
// feature describes its members in a struct with Fields() and reads them by that struct.
//
// Values, any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <vector>

#include "protocol/json_schema.h"
#include "protocol/schema.h"
#include "protocol/value.h"

namespace parley::accounts {

// Removes the members of a map that T does not have, at every depth: settings of other features and of other
// versions.
template <protocol::Described T>
void KeepKnown(protocol::Value* value);

class FeatureSettings {
 public:
  FeatureSettings() = default;
  explicit FeatureSettings(std::string json);  // all settings of the tenant

  // The members of T that the tenant has set; none if their values do not fit T, as those of another version
  // may. Parsed on the first call. The reference is valid as long as a copy of this object lives.
  template <protocol::Described T>
  const T& Of() const {
    const auto parse = [this]() -> std::shared_ptr<const void> {
      auto out = std::make_shared<T>();
      protocol::Document document;
      if (!Decode(&document)) return out;
      KeepKnown<T>(&document.root);
      if (!protocol::Bind(document.root, out.get()).ok()) *out = T();
      return out;
    };
    return *static_cast<const T*>(Find(typeid(T), parse));
  }

 private:
  struct Parsed;
  bool Decode(protocol::Document* out) const;
  const void* Find(std::type_index type, const std::function<std::shared_ptr<const void>()>& parse) const;

  std::shared_ptr<Parsed> parsed_;  // nullptr: nothing is set
};

namespace settings_internal {

void KeepMembers(const std::vector<std::string_view>& names, protocol::Value* map);
protocol::Value* Member(std::string_view name, protocol::Value* map);  // nullptr: it has none

// The same for the value of a member of type M.
template <class M>
void KeepKnownIn(protocol::Value* value) {
  if constexpr (protocol::Described<M>) {
    KeepKnown<M>(value);
  } else if constexpr (requires { typename protocol::schema_internal::DictionaryOf<M>::type; }) {
    if (protocol::Map* members = value->as_map())
      for (auto& member : *members)
        KeepKnownIn<typename protocol::schema_internal::DictionaryOf<M>::type>(&member.second);
  }
}

}  // namespace settings_internal

template <protocol::Described T>
void KeepKnown(protocol::Value* value) {
  std::vector<std::string_view> names;
  auto visit = [&]<class C, class M>(std::string_view name, M C::*, std::string_view) {
    names.push_back(name);
    if constexpr (requires { typename protocol::schema_internal::OptionalOf<M>::type; }) {
      protocol::Value* member = settings_internal::Member(name, value);
      if (member)
        settings_internal::KeepKnownIn<typename protocol::schema_internal::OptionalOf<M>::type>(member);
    }
  };
  T::Fields(visit);
  settings_internal::KeepMembers(names, value);
}

}  // namespace parley::accounts
