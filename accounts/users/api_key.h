// A user's API keys: programs with one act as the user. Found by a hash before the tenant is known, proven by
// a slow one, and checked against the present store; every refusal gives the same reply.
//
// An authentication: FindApiKey (any thread) -> Proves, elsewhere (tokens/slow_proofs.h) -> JudgeApiKey (any
// thread) -> NoteApiKeyUse (the writer's), for which no request waits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/records/records.h"
#include "accounts/users/secret.h"
#include "accounts/users/user.h"
#include "accounts/users/user_standing.h"
#include "protocol/field_types.h"

namespace parley::accounts {

inline constexpr size_t kApiKeysMax = 100;  // per user
inline constexpr size_t kApiKeyNameBytesMax = 100;
inline constexpr int64_t kApiKeyUseMs = 60'000;  // lastUsedAt is written at most once in that time

struct ApiKey {
  std::string id;
  protocol::UserId user;
  std::string lookup_hash;
  SecretProof proof;
  std::string prefix;  // the beginning of the secret
  std::optional<std::string> name;
  protocol::Time created_at;
  std::optional<protocol::Time> expires_at, last_used_at;
  int64_t life = 0;  // Standing::lives at its creation
};

struct NewApiKey {
  std::optional<protocol::Text<kApiKeyNameBytesMax>> name;
  std::optional<protocol::Time> expires_at;
  static constexpr void Fields(auto& field) {
    field("name", &NewApiKey::name, "its display name");
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
    field("name", &T::name, "its display name");
    field("prefix", &T::prefix, "the first characters of its secret");
    field("createdAt", &T::created_at, "time of creation");
    field("expiresAt", &T::expires_at, "from when on it is refused; null: never");
    field("lastUsedAt", &T::last_used_at, "time of the last use, to the minute");
  }
};
ApiKeyView ViewOf(const ApiKey& key);

// Decisions. `secret`: PrepareSecret(kApiKeyPrefix, …). Replaces an expired one if needed. TOO_LARGE: the
// user has kApiKeysMax keys.
protocol::Result<ApiKey> MakeApiKey(RecordTransaction& tx, const protocol::UserId& user,
                                    const NewApiKey& asked, const NewSecret& secret);
// NOT_FOUND: unknown key. Commits everything that was staged before.
protocol::Result<SessionsToEnd> DeleteApiKey(RecordTransaction& tx, const protocol::UserId& user,
                                             std::string_view key_id);
// Records that the key was used now. Writes nothing if that is recorded to the minute, or if the key is
// deleted.
protocol::Status NoteApiKeyUse(RecordTransaction& tx, const protocol::UserId& user, std::string_view key_id);

// The valid and the expired ones, oldest first. At most kApiKeysMax.
protocol::Result<std::vector<ApiKey>> ListApiKeys(const RecordReads& reads, const protocol::UserId& user);

struct FoundApiKey {
  protocol::TenantId tenant;
  ApiKey key;
};
// UNAUTHENTICATED: unknown or expired. The caller must still prove the secret.
protocol::Result<FoundApiKey> FindApiKey(const storage::Reader& reader, std::string_view secret,
                                         protocol::Time now, const storage::Sealer& sealer);
// The user of a credential, with the present facts of the store.
struct Judged {
  protocol::UserId user;
  UserRole role = UserRole::kMember;
  UserAttributes attributes = {};
  std::optional<protocol::Time> expires_at = {};  // for an API key; none: never
};
// UNAUTHENTICATED: the key is deleted, void or expired. FORBIDDEN: the user is suspended. Three point reads.
protocol::Result<Judged> JudgeApiKey(const RecordReads& reads, const protocol::UserId& user,
                                     std::string_view key_id);
// Whether its use should be recorded.
bool IsUseDue(const ApiKey& key, protocol::Time now);

}  // namespace parley::accounts
