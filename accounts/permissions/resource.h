// The object of a level: the tenant itself, or a thing of the tenant's own, called "type/id".
//
// Threads are not resources: a thread stores the rights of its participants itself.
//
// Thread-safe as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/ids.h"
#include "protocol/base/result.h"
#include "protocol/field_types.h"

namespace parley::accounts {

using protocol::TenantId;
using protocol::UserId;

// In rising order; each includes those before it.
enum class Level : uint8_t { kRead, kWrite, kOwner };

class Resource {
 public:
  // Type and id have the form of ids that tenants choose. BAD_REQUEST: invalid, or a thread.
  static protocol::Result<Resource> Parse(const TenantId& tenant, std::string_view text);
  static Resource Tenant(const TenantId& tenant);

  std::string ToText() const;  // "tenant", "projects/p1"
  std::string Key() const { return type_ + "/" + id_; }
  const std::string& type() const { return type_; }
  const std::string& id() const { return id_; }
  friend bool operator==(const Resource&, const Resource&) = default;

 private:
  Resource(std::string type, std::string id) : type_(std::move(type)), id_(std::move(id)) {}
  std::string type_, id_;
};

// The actor of a change, as established from the credential.
struct Actor {
  bool is_service = false;
  bool is_admin = false;
  std::optional<UserId> user = {};  // a service may act as a user

  static Actor Service() { return {true, false, {}}; }
  static Actor User(UserId user, bool is_admin = false) { return {false, is_admin, std::move(user)}; }
  // The author's name in records.
  std::string ToText() const { return user ? "users/" + user->ToText() : "service"; }
};

}  // namespace parley::accounts

template <>
struct parley::protocol::EnumNames<parley::accounts::Level> {
  static constexpr std::string_view kNames[] = {"read", "write", "owner"};
};
