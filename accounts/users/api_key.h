// A user's API keys: with one, their programs are the user. Found by a hash before the tenant is
// known, proven by a slow one, and judged by what the store says at that moment; every way to be refused is
// the same answer.
//
// An authentication: FindApiKey (any thread) -> Proves, elsewhere (tokens/slow_proofs.h) -> JudgeApiKey (any
// thread) -> NoteApiKeyUse (the writer's), which nobody waits for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/records/records.h"
#include "accounts/users/secret.h"
#include "accounts/users/standing.h"
#include "accounts/users/user.h"
#include "protocol/field_types.h"

namespace parley::accounts {

inline constexpr size_t kApiKeysMax = 100;  // of a user
inline constexpr size_t kApiKeyNameBytesMax = 100;
inline constexpr int64_t kApiKeyUseMs = 60'000;  // lastUsedAt is written once in that time at most

struct ApiKey {
  std::string id;
  protocol::UserId user;
  std::string lookup_hash;
  SecretProof proof;
  std::string prefix;  // how the secret begins
  std::optional<std::string> name;
  protocol::Time created_at;
  std::optional<protocol::Time> expires_at, last_used_at;
  int64_t life = 0;  // Standing::lives when it was made
};

struct NewApiKey {
  std::optional<protocol::Text<kApiKeyNameBytesMax>> name;
  std::optional<protocol::Time> expires_at;
  static constexpr void Fields(auto& field) {
    field("name", &NewApiKey::name, "what people call it");
    field("expiresAt", &NewApiKey::expires_at, "from when on it is refused; never, if it is not given");
  }
};
struct ApiKeyView {
  std::string key_id;
  std::optional<std::string> name;
  std::string prefix;
  protocol::Time created_at;
  std::optional<protocol::Time> expires_at, last_used_at;
  static constexpr void Fields(auto& field) {
    using T = ApiKeyView;
    field("keyId", &T::key_id, "the key");
    field("name", &T::name, "what people call it");
    field("prefix", &T::prefix, "how its secret begins");
    field("createdAt", &T::created_at, "when it was made");
    field("expiresAt", &T::expires_at, "from when on it is refused; null: never");
    field("lastUsedAt", &T::last_used_at, "when it was last used, to the minute");
  }
};
ApiKeyView ViewOf(const ApiKey& key);

// Decisions. `secret`: PrepareSecret(kApiKeyPrefix, …). One that has expired makes room.
// TOO_LARGE: the user has as many as they may.
protocol::Result<ApiKey> MakeApiKey(RecordStage& stage, const protocol::UserId& user, const NewApiKey& asked,
                                    const NewSecret& secret);
// NOT_FOUND: there is no such key. What was staged before is committed with it.
protocol::Result<SessionsToEnd> DeleteApiKey(RecordStage& stage, const protocol::UserId& user,
                                             std::string_view key_id);
// That it was used just now. Writes nothing if that is known to the minute, or if the key is gone.
protocol::Status NoteApiKeyUse(RecordStage& stage, const protocol::UserId& user, std::string_view key_id);

// Those that are honoured or have expired, the oldest first. At most kApiKeysMax.
protocol::Result<std::vector<ApiKey>> ListApiKeys(const RecordReads& reads, const protocol::UserId& user);

struct FoundApiKey {
  protocol::TenantId tenant;
  ApiKey key;
};
// UNAUTHENTICATED: there is none, or it has expired. What is found is still to be proven.
protocol::Result<FoundApiKey> FindApiKey(const storage::Reader& reader, std::string_view secret,
                                         protocol::Time now, const storage::Sealer& sealer);
// Whom a credential stands for, as the store has them now.
struct Judged {
  protocol::UserId user;
  UserRole role = UserRole::kMember;
  UserAttributes attributes = {};
  std::optional<protocol::Time> expires_at = {};  // of an API key; none: never
};
// UNAUTHENTICATED: the key is gone, void or expired. FORBIDDEN: the user is suspended. Three point reads.
protocol::Result<Judged> JudgeApiKey(const RecordReads& reads, const protocol::UserId& user,
                                     std::string_view key_id);
// Whether its use should be noted.
bool IsUseDue(const ApiKey& key, protocol::Time now);

}  // namespace parley::accounts
