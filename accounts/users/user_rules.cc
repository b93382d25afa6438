#include "accounts/users/user_rules.h"

#include <algorithm>
#include <map>

#include "accounts/users/json_map.h"
#include "protocol/base/ascii.h"
#include "protocol/base/name.h"
#include "protocol/base/reason.h"
#include "protocol/writer.h"
#include "storage/declarations/formats.h"

namespace parley::accounts {

using protocol::Error;
using protocol::Ok;
using protocol::Reason;
using protocol::Status;

namespace {

bool IsBlank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
bool IsControl(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == 0x7f;
}

Status Forbidden(std::string_view field) {
  Error error = ErrorFor(Reason::kUserFieldFixed, "the caller may not change this of a user");
  error.fields.emplace_back(std::string(field), "may not be changed by the caller");
  return error;
}

Status ApplyEmail(const UserChange& change, User* user) {
  if (!change.email.present) return Ok();
  user->email.reset();
  if (!change.email.value) return Ok();
  user->email = FoldEmail(change.email.value->value);
  return user->email ? Ok() : Error::BadField("email", "must be an e-mail address");
}

Status ApplyName(const UserChange& change, User* user) {
  if (!change.display_name.present) return Ok();
  user->display_name.reset();
  if (!change.display_name.value) return Ok();
  user->display_name = protocol::CleanTitle(change.display_name.value);
  return user->display_name ? Ok() : Error::BadField("displayName", "must not be blank");
}

// The new value of `now`, as one MessagePack value.
protocol::Result<protocol::Document> Patched(std::string_view name, const std::string& now,
                                             const protocol::Json& change) {
  PARLEY_TRY(target, ReadEncoded(now));
  PARLEY_TRY(patch, ReadEncoded(change.msgpack));
  if (!patch.root.as_map()) return Error::BadField(std::string(name), "must be a map");
  return ReadEncoded(MergePatch(target.root, patch.root));
}

Status ApplyIdentities(const UserChange& change, User* user) {
  constexpr std::string_view kName = "channelIdentities";
  if (!change.identities) return Ok();
  PARLEY_TRY(patched, Patched(kName, EncodeTexts(user->identities), *change.identities));
  std::map<std::string, std::string> identities;
  if (!ReadTexts(patched.root, &identities)) return Error::BadField(std::string(kName), "must hold texts");
  if (identities.size() > kIdentitiesMax)
    return Error::BadField(std::string(kName), "has too many members: 16 at most");
  for (const auto& [type, id] : identities) {
    if (!IsIdentityType(type)) return Error::BadField(std::string(kName), "names a channel that cannot be");
    if (!IsIdentityId(id)) return Error::BadField(std::string(kName), "has an id that cannot be");
  }
  user->identities = std::move(identities);
  return Ok();
}

Status ApplyAttributes(const UserChange& change, User* user) {
  if (!change.attributes) return Ok();
  PARLEY_TRY(patched, Patched("attributes", EncodeAttributes(user->attributes), *change.attributes));
  UserAttributes attributes;
  if (!ReadAttributes(patched.root, &attributes))
    return Error::BadField("attributes", "must hold truths, integers and texts");
  if (!FitsAttributes(attributes))
    return Error::BadField("attributes", "are too many, too large, or one has a name that cannot be");
  user->attributes = std::move(attributes);
  return Ok();
}

// The one preference that the server reads.
Status CheckSafeMode(const protocol::Json& change) {
  PARLEY_TRY(patch, ReadEncoded(change.msgpack));
  const protocol::Value* value = patch.root.as_map() ? patch.root.Find("safeMode") : nullptr;
  if (!value || value->is_null()) return Ok();
  const bool known = value->as_text() && (*value->as_text() == "on" || *value->as_text() == "off");
  return known ? Ok() : Error::BadField("preferences.safeMode", "must be on or off");
}

Status ApplyPreferences(const UserChange& change, User* user) {
  if (!change.preferences) return Ok();
  PARLEY_CHECK_OK(CheckSafeMode(*change.preferences));
  PARLEY_TRY(patched, Patched("preferences", user->preferences, *change.preferences));
  if (DepthOf(patched.root) > kPreferencesDepthMax) return Error::BadField("preferences", "are too deep");
  protocol::Writer w;
  w.Put(patched.root);
  if (protocol::MsgpackToJson(w.bytes()).size() > kPreferencesBytesMax)
    return Error::BadField("preferences", "have more than 16 KiB");
  user->preferences = w.Take();
  return Ok();
}

// Integers within JSON's range, so that every client reads the same.
bool FitsAttribute(const AttrValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text->size() <= kTokenStringBytesMax;
  const auto* number = std::get_if<int64_t>(&value);
  return !number || (*number <= protocol::kMaxSafeInteger && *number >= -protocol::kMaxSafeInteger);
}

}  // namespace

std::optional<std::string> FoldEmail(std::string_view email) {
  while (!email.empty() && IsBlank(email.front())) email.remove_prefix(1);
  while (!email.empty() && IsBlank(email.back())) email.remove_suffix(1);
  std::string out(email);
  for (char& c : out) c = protocol::LowerOf(c);
  if (!storage::HasFormat(storage::AttributeRule::Format::kEmail, out)) return std::nullopt;
  return out;
}

bool IsIdentityType(std::string_view type) {
  return !type.empty() && type.size() <= kIdentityTypeBytesMax &&
         type.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string_view::npos;
}

bool IsIdentityId(std::string_view id) {
  return !id.empty() && id.size() <= kIdentityBytesMax && id.find('#') == std::string_view::npos &&
         std::none_of(id.begin(), id.end(), [](char c) { return c == ' ' || IsControl(c); });
}

Status RequireAccess(const Editor& editor, const protocol::UserId& user) {
  if (editor.kind != Editor::Kind::kSelf || editor.user == user) return Ok();
  return ErrorFor(Reason::kOthersRecord, "this is another user's record");
}

UserChange ChangeOf(const NewUser& asked) {
  UserChange out;
  out.email = {asked.email.has_value(), asked.email};
  out.display_name = {asked.display_name.has_value(), asked.display_name};
  out.role = asked.role;
  out.identities = asked.identities;
  out.attributes = asked.attributes;
  return out;
}

Status RequireMayChange(const Editor& editor, const UserChange& change) {
  if (editor.kind == Editor::Kind::kService) return Ok();
  if (change.attributes) return Forbidden("attributes");
  if (editor.kind == Editor::Kind::kAdmin) {
    const bool may =
        !change.role || *change.role == UserRole::kMember || *change.role == UserRole::kModerator;
    return may ? Ok() : Forbidden("role");
  }
  if (change.role) return Forbidden("role");
  if (change.email.present) return Forbidden("email");
  if (change.identities) return Forbidden("channelIdentities");
  return Ok();
}

Status Apply(const UserChange& change, User* user) {
  if (change.role) user->role = *change.role;
  PARLEY_CHECK_OK(ApplyEmail(change, user));
  PARLEY_CHECK_OK(ApplyName(change, user));
  PARLEY_CHECK_OK(ApplyIdentities(change, user));
  PARLEY_CHECK_OK(ApplyAttributes(change, user));
  return ApplyPreferences(change, user);
}

bool FitsAttributes(const UserAttributes& attributes) {
  if (attributes.size() > kUserAttributesMax) return false;
  for (const auto& [name, value] : attributes) {
    if (!protocol::IsTenantChosenId(name) || !FitsAttribute(value)) return false;
  }
  return protocol::MsgpackToJson(EncodeAttributes(attributes)).size() <= kUserAttributesBytesMax;
}

}  // namespace parley::accounts
