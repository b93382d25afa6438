#include "accounts/users/user.h"

#include "accounts/records/item_fields.h"
#include "accounts/users/json_map.h"
#include "protocol/schema.h"

namespace parley::accounts {

using protocol::Error;
using protocol::ErrorCode;

namespace {

// An empty map is not stored.
void SetMap(Item* item, std::string_view name, bool is_empty, const std::string& msgpack) {
  if (is_empty) {
    item->Erase(name);
  } else {
    item->Set(name, protocol::MsgpackToJson(msgpack));
  }
}

Error UnreadableUser() {
  return Error(ErrorCode::kInternal, "a user's record cannot be read");
}

}  // namespace

UserView ViewOf(const User& user) {
  UserView out;
  out.user_id = user.id.ToText();
  out.email = user.email;
  out.display_name = user.display_name;
  out.role = user.role;
  for (const auto& [type, id] : user.identities) out.identities.members.emplace_back(type, id);
  out.attributes.msgpack = EncodeAttributes(user.attributes);
  out.preferences.msgpack = user.preferences.empty() ? EncodeTexts({}) : user.preferences;
  out.created_at = user.created_at;
  out.updated_at = user.updated_at;
  out.version = user.version;
  return out;
}

bool PrefersNoSafeMode(const User& user) {
  const auto preferences = ReadEncoded(user.preferences);
  const auto* value =
      preferences.ok() && preferences->root.as_map() ? preferences->root.Find("safeMode") : nullptr;
  return value && value->as_text() && *value->as_text() == "off";
}

std::string EncodeUser(const User& user) {
  return protocol::Encode(ViewOf(user));
}

Item ToItem(const protocol::TenantId& tenant, const User& user, Item base) {
  Item item = std::move(base);
  item.Set("tenant_id", tenant.ToText());
  item.Set("user_id", user.id.ToText());
  SetText(&item, "email", user.email);
  SetText(&item, "display_name", user.display_name);
  item.Set("role", protocol::NameOf(user.role));
  SetMap(&item, "channel_identities", user.identities.empty(), EncodeTexts(user.identities));
  SetMap(&item, "custom_properties", user.attributes.empty(), EncodeAttributes(user.attributes));
  const std::string none = EncodeTexts({});
  SetMap(&item, "preferences", user.preferences.empty() || user.preferences == none, user.preferences);
  SetTime(&item, "created_at", user.created_at);
  SetTime(&item, "updated_at", user.updated_at);
  return item;
}

protocol::Result<User> UserFrom(const Item& item) {
  User out;
  const auto id = protocol::UserId::FromText(TextOf(item, "user_id"));
  const auto role = protocol::EnumFromName<UserRole>(TextOf(item, "role"));
  if (!id || !role) return UnreadableUser();
  out.id = *id;
  out.role = *role;
  out.email = OptionalTextOf(item, "email");
  out.display_name = OptionalTextOf(item, "display_name");
  PARLEY_TRY(identities, ReadStored(TextOf(item, "channel_identities")));
  PARLEY_TRY(attributes, ReadStored(TextOf(item, "custom_properties")));
  PARLEY_TRY(preferences, ReadStored(TextOf(item, "preferences")));
  if (!ReadTexts(identities.root, &out.identities)) return UnreadableUser();
  if (!ReadAttributes(attributes.root, &out.attributes)) return UnreadableUser();
  protocol::Writer w;
  w.Put(preferences.root);
  out.preferences = w.Take();
  out.created_at = TimeOf(item, "created_at").value_or(protocol::Time{});
  out.updated_at = TimeOf(item, "updated_at").value_or(out.created_at);
  out.version = IntOf(item, "version").value_or(1);
  return out;
}

}  // namespace parley::accounts
