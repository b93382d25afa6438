#include "accounts/tokens/refresh_token.h"

#include <cstdlib>

#include <algorithm>

#include "accounts/records/item_fields.h"
#include "accounts/users/api_key.h"
#include "accounts/users/user_keys.h"
#include "accounts/users/user_reads.h"

namespace parley::accounts {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Result;
using protocol::Time;
using protocol::UserId;

namespace {

constexpr std::string_view kLiveIndex = "byLiveFamily";
// Void families that are removed from the index of live ones when another one is made.
constexpr size_t kTidiedWithOne = 50;

Result<std::optional<Item>> FindToken(const RecordReads& reads, const UserId& user, std::string_view id) {
  return reads.Find(kRefreshTokenTable, RefreshTokenHash(user), id);
}

void PutToken(RecordTransaction& tx, Item item) {
  item.Set("tokenId", TextOf(item, "tokenId").empty() ? TextOf(item, "sk") : TextOf(item, "tokenId"));
  tx.Put(kRefreshTokenTable, "token", std::move(item));
}

bool IsLive(const Item& family, const UserStanding& standing) {
  return family.Has("liveFamilyOf") && IntOf(family, "userVoids") == standing.voids;
}

void MakeVoid(Item* family, Time now) {
  family->Erase("liveFamilyOf");
  SetTime(family, "familyRevokedAt", now);
}

int64_t GoesAt(Time expires_at) {
  return (expires_at.ms + 999) / 1000;
}

Item NewToken(const UserId& user, const NewSecret& secret, std::string_view family_id,
              const UserStanding& standing, Time now) {
  const Time expires_at{now.ms + kRefreshTokenMs};
  Item item{{"tokenId", secret.id},
            {"userId", user.ToText()},
            {"tokenHash", secret.proof.proof},
            {"tokenSalt", secret.proof.salt},
            {"tokenLookupHash", secret.lookup_hash},
            {"familyId", family_id}};
  SetTime(&item, "expiresAt", expires_at);
  SetInt(&item, "expires", GoesAt(expires_at));
  SetInt(&item, "userVoids", standing.voids);
  return item;
}

SessionsToEnd EndOf(const UserId& user, std::string id) {
  return {user, SessionsToEnd::Why::kVoid, SessionsToEnd::Whose::kFamily, std::move(id)};
}

// Items of families in the index of live ones, oldest first. Families from before the last void may be among
// them.
Result<std::vector<Item>> FamiliesOf(const RecordReads& reads, const UserId& user) {
  std::vector<Item> out;
  RecordReads::Ask ask;
  ask.table = kRefreshTokenTable;
  ask.index = kLiveIndex;
  const std::string of_user = user.ToText();
  ask.key = AllOf(of_user);
  PARLEY_CHECK_OK(reads.ForEach(ask, [&](const Item& item) {
    out.push_back(item);
    return out.size() < kLiveFamiliesMax + kTidiedWithOne;
  }));
  return out;
}

// Makes room for one more.
Result<std::vector<SessionsToEnd>> Tidy(RecordTransaction& tx, const UserId& user,
                                        const UserStanding& standing) {
  PARLEY_TRY(families, FamiliesOf(tx, user));
  std::vector<SessionsToEnd> ends;
  size_t live = 0, tidied = 0;
  for (const Item& family : families) live += IsLive(family, standing);
  for (Item& family : families) {
    const bool was_live = IsLive(family, standing);
    if ((was_live && live < kLiveFamiliesMax) || tidied == kTidiedWithOne) continue;
    if (was_live) {
      --live;
      ends.push_back(EndOf(user, TextOf(family, "sk")));
    }
    ++tidied;
    MakeVoid(&family, tx.now());
    PutToken(tx, std::move(family));
  }
  return ends;
}

std::optional<UserRole> RoleOf(const Item& family) {
  return protocol::EnumFromName<UserRole>(TextOf(family, "role"));
}

// No token outlives the API key that its family came from.
Result<int64_t> SecondsOf(const RecordReads& reads, const UserId& user, const Item& family) {
  const int64_t asked = IntOf(family, "ttlSeconds").value_or(kAccessTokenSeconds);
  const std::string key_id = TextOf(family, "keyId");
  if (key_id.empty()) return asked;
  PARLEY_TRY(key, JudgeApiKey(reads, user, key_id));
  if (!key.expires_at) return asked;
  const int64_t left = (key.expires_at->ms - reads.now().ms) / 1000;
  if (left < 1) return Unauthenticated();
  return std::min(asked, left);
}

// The present claims of the family's access tokens.
Result<Grant> GrantOf(const RecordReads& reads, const UserId& user, const Item& family) {
  Grant out;
  out.user = user;
  out.family_id = TextOf(family, "familyId");
  out.scope = TextOf(family, "scope");
  PARLEY_TRY(seconds, SecondsOf(reads, user, family));
  out.ttl_seconds = seconds;
  out.refresh_expires_at = Time{reads.now().ms + kRefreshTokenMs};
  PARLEY_TRY(record, FindUser(reads, user));
  if (record) {
    out.role = record->role;
    out.attributes = std::move(record->attributes);
  }
  out.role = RoleOf(family).value_or(out.role);
  return out;
}

// A token with its family's item, which may be the same.
struct Held {
  Item token;
  std::optional<Item> family;  // none: the token is its family's item
  Item& head() { return family ? *family : token; }
};
Result<std::optional<Held>> FindHeld(const RecordReads& reads, const FoundRefreshToken& token) {
  PARLEY_TRY(item, FindToken(reads, token.user, token.token_id));
  if (!item) return std::optional<Held>();
  Held held{*std::move(item), std::nullopt};
  const std::string family_id = TextOf(held.token, "familyId");
  if (family_id == token.token_id) return std::optional(std::move(held));
  PARLEY_TRY(family, FindToken(reads, token.user, family_id));
  if (!family) return std::optional<Held>();
  held.family = std::move(family);
  return std::optional(std::move(held));
}

Result<SessionsToEnd> RevokeHeld(RecordTransaction& tx, const UserId& user, Held held) {
  const std::string id = TextOf(held.head(), "sk");
  MakeVoid(&held.head(), tx.now());
  PutToken(tx, std::move(held.head()));
  PARLEY_CHECK_OK(tx.Commit());
  return EndOf(user, id);
}

std::string AnswerIdOf(std::string_view token_id) {
  return "answer#" + std::string(token_id);
}

void PutAnswer(RecordTransaction& tx, const FoundRefreshToken& token, const NewSecret& next,
               const UserStanding& standing, const RenewalTerms& terms, const std::string& answer) {
  if (terms.grace_seconds <= 0) return;
  Item item{{"tokenId", token.token_id}, {"userId", token.user.ToText()}, {"nextTokenId", next.id}};
  item.Set("answer", answer);
  SetInt(&item, "userVoids", standing.voids);
  SetInt(&item, "expires", GoesAt(Time{tx.now().ms + terms.grace_seconds * 1000}));
  tx.Put(kRefreshTokenTable, "answer", std::move(item));
}

// Returns the reply to the first use of a token, if this is a repeat in time.
Result<std::optional<std::string>> FindAnswer(const RecordReads& reads, const FoundRefreshToken& token,
                                              const Item& used, int64_t grace_seconds) {
  std::optional<std::string> none;
  const auto used_at = TimeOf(used, "revokedAt");
  // In both directions: a clock that was set back must not extend the time for repeats.
  if (!used_at || std::abs(reads.now().ms - used_at->ms) >= grace_seconds * 1000) return none;
  PARLEY_TRY(kept, FindToken(reads, token.user, AnswerIdOf(token.token_id)));
  if (!kept) return none;
  PARLEY_TRY(next, FindToken(reads, token.user, TextOf(*kept, "nextTokenId")));
  if (!next || next->Has("revokedAt")) return none;
  return std::optional(TextOf(*kept, "answer"));
}

void PutRenewed(RecordTransaction& tx, const UserId& user, Held held, const NewSecret& next,
                const UserStanding& standing) {
  Item made = NewToken(user, next, TextOf(held.head(), "familyId"), standing, tx.now());
  SetTime(&held.token, "lastUsedAt", tx.now());
  SetTime(&held.token, "revokedAt", tx.now());
  held.head().Set("expires", *made.Find("expires"));
  PutToken(tx, std::move(held.token));
  if (held.family) PutToken(tx, *std::move(held.family));
  PutToken(tx, std::move(made));
}

}  // namespace

Result<SignedIn> IssueTokens(RecordTransaction& tx, const SignIn& asked, const NewSecret& first) {
  if (asked.ttl_seconds < 1 || asked.ttl_seconds > kAccessTokenSecondsMax)
    return Error::BadField("ttlSeconds", "must be from 1 to 86400");
  if (!IsKnownScope(asked.scope)) return Error::BadField("scope", "is not one of the known values");
  PARLEY_TRY(standing, FindStanding(tx, asked.user));
  PARLEY_CHECK_OK(RequireNotSuspended(standing, tx.now()));
  PARLEY_TRY(ends, Tidy(tx, asked.user, standing));
  Item family = NewToken(asked.user, first, first.id, standing, tx.now());
  family.Set("liveFamilyOf", asked.user.ToText());
  if (asked.role) family.Set("role", protocol::NameOf(*asked.role));
  SetText(&family, "scope", std::string_view(asked.scope));
  SetInt(&family, "ttlSeconds", asked.ttl_seconds);
  SetText(&family, "keyId", std::string_view(asked.key_id));
  // The key was proven before this decision and may have been deleted since: then this fails.
  PARLEY_TRY(grant, GrantOf(tx, asked.user, family));
  PutToken(tx, std::move(family));
  PARLEY_CHECK_OK(tx.Commit());
  return SignedIn{std::move(grant), std::move(ends)};
}

Result<FoundRefreshToken> FindRefreshToken(const storage::Reader& reader, std::string_view secret, Time now,
                                           const storage::Sealer& sealer) {
  if (!IsSecret(kRefreshTokenPrefix, secret)) return Unauthenticated();
  PARLEY_TRY(found, FindInWorld(reader, kRefreshTokenTable, {{"tokenLookupHash", LookupHashOf(secret)}}, now,
                                sealer));
  if (!found) return Unauthenticated();
  const auto user = UserId::FromText(TextOf(found->item, "userId"));
  if (!user) return Unauthenticated();
  return FoundRefreshToken{std::move(found->tenant),
                           *user,
                           TextOf(found->item, "sk"),
                           {TextOf(found->item, "tokenSalt"), TextOf(found->item, "tokenHash")}};
}

Result<Renewal> RenewTokens(RecordTransaction& tx, const FoundRefreshToken& token, const NewSecret& next,
                            const RenewalTerms& terms) {
  PARLEY_TRY(found, FindHeld(tx, token));
  PARLEY_TRY(standing, FindStanding(tx, token.user));
  if (!found || !IsLive(found->head(), standing)) return Renewal{};
  if (found->token.Has("revokedAt")) {
    PARLEY_TRY(again, FindAnswer(tx, token, found->token, terms.grace_seconds));
    if (again) PARLEY_CHECK_OK(RequireNotSuspended(standing, tx.now()));
    if (again) return Renewal{std::move(again), std::nullopt, std::nullopt};
    PARLEY_TRY(ends, RevokeHeld(tx, token.user, *std::move(found)));
    return Renewal{std::nullopt, std::nullopt, std::move(ends)};
  }
  const auto expires_at = TimeOf(found->token, "expiresAt");
  if (!expires_at || *expires_at <= tx.now()) return Renewal{};
  PARLEY_CHECK_OK(RequireNotSuspended(standing, tx.now()));
  PARLEY_TRY(grant, GrantOf(tx, token.user, found->head()));
  PutRenewed(tx, token.user, *std::move(found), next, standing);
  std::string answer = terms.answer(grant, tx.now());
  PutAnswer(tx, token, next, standing, terms, answer);
  PARLEY_CHECK_OK(tx.Commit());
  return Renewal{std::move(answer), std::move(grant), std::nullopt};
}

Result<std::optional<SessionsToEnd>> RevokeTokens(RecordTransaction& tx, const FoundRefreshToken& token) {
  PARLEY_TRY(found, FindHeld(tx, token));
  PARLEY_TRY(standing, FindStanding(tx, token.user));
  if (!found || !IsLive(found->head(), standing)) return std::optional<SessionsToEnd>();
  PARLEY_TRY(ends, RevokeHeld(tx, token.user, *std::move(found)));
  return std::optional(std::move(ends));
}

Result<std::vector<SessionsToEnd>> RevokeTokensOfKey(RecordTransaction& tx, const UserId& user,
                                                     std::string_view key_id) {
  PARLEY_TRY(families, FamiliesOf(tx, user));
  std::vector<SessionsToEnd> ends;
  for (Item& family : families) {
    if (TextOf(family, "keyId") != key_id) continue;
    ends.push_back(EndOf(user, TextOf(family, "sk")));
    MakeVoid(&family, tx.now());
    PutToken(tx, std::move(family));
  }
  return ends;
}

Result<std::optional<Family>> FindLiveFamily(const RecordReads& reads, const UserId& user,
                                             std::string_view family_id, const UserStanding& standing) {
  PARLEY_TRY(found, FindToken(reads, user, family_id));
  if (!found || !IsLive(*found, standing)) return std::optional<Family>();
  return std::optional(Family{RoleOf(*found)});
}

}  // namespace parley::accounts
