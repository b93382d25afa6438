#include "accounts/users/api_key.h"

#include "accounts/records/item_fields.h"
#include "accounts/users/user_keys.h"
#include "accounts/users/user_reads.h"
#include "protocol/base/name.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"

namespace parley::accounts {

using protocol::Error;
using protocol::Reason;
using protocol::Result;
using protocol::Status;
using protocol::Time;
using protocol::UserId;

namespace {

// Dead keys that are removed when another one is made.
constexpr size_t kClearedWithOne = 20;

ApiKey KeyFrom(const Item& item) {
  ApiKey out;
  out.id = TextOf(item, "sk");
  out.user = UserId::FromText(TextOf(item, "userId")).value_or(UserId{});
  out.lookup_hash = TextOf(item, "keyLookupHash");
  out.proof = {TextOf(item, "keySalt"), TextOf(item, "keyHash")};
  out.prefix = TextOf(item, "keyPrefix");
  out.name = OptionalTextOf(item, "name");
  out.created_at = TimeOf(item, "createdAt").value_or(Time{});
  out.expires_at = TimeOf(item, "expiresAt");
  out.last_used_at = TimeOf(item, "lastUsedAt");
  out.life = IntOf(item, "userLife").value_or(0);
  return out;
}

Item ToItem(const ApiKey& key) {
  Item item{{"keyId", key.id},           {"userId", key.user.ToText()},      {"keyHash", key.proof.proof},
            {"keySalt", key.proof.salt}, {"keyLookupHash", key.lookup_hash}, {"keyPrefix", key.prefix}};
  SetText(&item, "name", key.name);
  if (key.expires_at) SetTime(&item, "expiresAt", *key.expires_at);
  SetInt(&item, "userLife", key.life);
  return item;
}

bool HasExpired(const ApiKey& key, Time now) {
  return key.expires_at && *key.expires_at <= now;
}

// All stored keys of the user, including those that a deletion made void.
Result<std::vector<ApiKey>> AllKeys(const RecordReads& reads, const UserId& user) {
  std::vector<ApiKey> out;
  RecordReads::Ask ask;
  ask.table = kApiKeyTable;
  ask.key = AllOf(ApiKeyHash(user));
  PARLEY_CHECK_OK(reads.ForEach(ask, [&](const Item& item) {
    out.push_back(KeyFrom(item));
    return true;
  }));
  return out;
}

Status CheckNew(const NewApiKey& asked, Time now) {
  if (asked.name && !protocol::CleanTitle(asked.name)) return Error::BadField("name", "must not be blank");
  if (asked.expires_at && *asked.expires_at <= now) return Error::BadField("expiresAt", "is in the past");
  return protocol::Ok();
}

}  // namespace

ApiKeyView ViewOf(const ApiKey& key) {
  return {key.id, key.name, key.prefix, key.created_at, key.expires_at, key.last_used_at};
}

Result<ApiKey> MakeApiKey(RecordTransaction& tx, const UserId& user, const NewApiKey& asked,
                          const NewSecret& secret) {
  PARLEY_CHECK_OK(CheckNew(asked, tx.now()));
  PARLEY_TRY(standing, FindStanding(tx, user));
  PARLEY_TRY(all, AllKeys(tx, user));
  size_t live = 0, cleared = 0;
  const ApiKey* lapsed = nullptr;  // the one that expired first
  for (const ApiKey& key : all) {
    if (key.life == standing.lives) {
      ++live;
      const bool expired = key.expires_at && *key.expires_at <= tx.now();
      if (expired && (!lapsed || *key.expires_at < protocol::Sure(lapsed->expires_at))) lapsed = &key;
    } else if (cleared++ < kClearedWithOne) {
      tx.Delete(kApiKeyTable, ApiKeyHash(user), key.id);
    }
  }
  if (live == kApiKeysMax && lapsed) {
    tx.Delete(kApiKeyTable, ApiKeyHash(user), lapsed->id);
    --live;
  }
  if (live >= kApiKeysMax) return ErrorFor(Reason::kTooManyKeys, "a user may have 100 API keys");
  ApiKey key;
  key.id = secret.id;
  key.user = user;
  key.lookup_hash = secret.lookup_hash;
  key.proof = secret.proof;
  key.prefix = secret.secret.substr(0, kShownPrefixBytes);
  key.name = protocol::CleanTitle(asked.name);
  key.created_at = tx.now();
  key.expires_at = asked.expires_at;
  key.life = standing.lives;
  tx.Put(kApiKeyTable, "key", ToItem(key));
  PARLEY_CHECK_OK(tx.Commit());
  return key;
}

Result<SessionsToEnd> DeleteApiKey(RecordTransaction& tx, const UserId& user, std::string_view key_id) {
  PARLEY_TRY(standing, FindStanding(tx, user));
  PARLEY_TRY(found, tx.Find(kApiKeyTable, ApiKeyHash(user), key_id));
  if (!found || KeyFrom(*found).life != standing.lives)
    return ErrorFor(Reason::kNoKey, "there is no such key");
  tx.Delete(kApiKeyTable, ApiKeyHash(user), key_id);
  PARLEY_CHECK_OK(tx.Commit());
  return SessionsToEnd{user, SessionsToEnd::Why::kVoid, SessionsToEnd::Whose::kApiKey, std::string(key_id)};
}

// Bypasses the services' rules, which would increment the version.
Status NoteApiKeyUse(RecordTransaction& tx, const UserId& user, std::string_view key_id) {
  PARLEY_TRY(found, tx.Find(kApiKeyTable, ApiKeyHash(user), key_id));
  if (!found || !IsUseDue(KeyFrom(*found), tx.now())) return protocol::Ok();
  storage::Placeholders values;
  storage::WriteRequest write;
  write.kind = storage::WriteRequest::Kind::kUpdate;
  write.table = kApiKeyTable;
  write.item = {{"pk", ApiKeyHash(user)}, {"sk", key_id}};
  values.SetValues({{":now", protocol::FormatTime(tx.now())}});
  storage::ParseUpdate("SET lastUsedAt = :now", &values, &write.update);
  storage::WriteReply reply;
  if (auto fault = storage::DecideWrite(tx.tx(), tx.tenant(), write, &reply)) return FromFault(*fault);
  return protocol::Ok();
}

Result<std::vector<ApiKey>> ListApiKeys(const RecordReads& reads, const UserId& user) {
  PARLEY_TRY(standing, FindStanding(reads, user));
  PARLEY_TRY(all, AllKeys(reads, user));
  std::erase_if(all, [&](const ApiKey& key) { return key.life != standing.lives; });
  return std::move(all);
}

Result<FoundApiKey> FindApiKey(const storage::Reader& reader, std::string_view secret, Time now,
                               const storage::Sealer& sealer) {
  if (!IsSecret(kApiKeyPrefix, secret)) return Unauthenticated();
  PARLEY_TRY(found,
             FindInWorld(reader, kApiKeyTable, {{"keyLookupHash", LookupHashOf(secret)}}, now, sealer));
  if (!found) return Unauthenticated();
  ApiKey key = KeyFrom(found->item);
  if (key.user.empty() || HasExpired(key, now)) return Unauthenticated();
  return FoundApiKey{std::move(found->tenant), std::move(key)};
}

Result<Judged> JudgeApiKey(const RecordReads& reads, const UserId& user, std::string_view key_id) {
  PARLEY_TRY(found, reads.Find(kApiKeyTable, ApiKeyHash(user), key_id));
  if (!found) return Unauthenticated();
  const ApiKey key = KeyFrom(*found);
  if (HasExpired(key, reads.now())) return Unauthenticated();
  PARLEY_TRY(standing, FindStanding(reads, user));
  if (key.life != standing.lives) return Unauthenticated();
  PARLEY_CHECK_OK(RequireNotSuspended(standing, reads.now()));
  PARLEY_TRY(record, FindUser(reads, user));
  Judged out{user};
  out.expires_at = key.expires_at;
  if (!record) return out;
  out.role = record->role;
  out.attributes = std::move(record->attributes);
  return out;
}

bool IsUseDue(const ApiKey& key, Time now) {
  return !key.last_used_at || key.last_used_at->ms + kApiKeyUseMs <= now.ms;
}

}  // namespace parley::accounts
