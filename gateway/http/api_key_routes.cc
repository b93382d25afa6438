// Routes of users' API keys.
#include "accounts/tokens/refresh_token.h"
#include "accounts/users/api_key.h"
#include "features/host/once.h"
#include "features/host/records.h"
#include "gateway/http/pages.h"
#include "gateway/http/route_traits.h"
#include "gateway/http/slowly.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"

namespace parley::gateway {
namespace {

using accounts::ApiKey;
using accounts::ApiKeyView;
using accounts::RecordReads;
using accounts::RecordTransaction;
using accounts::SessionsToEnd;
using protocol::Error;
using protocol::Reason;
using protocol::UserId;

// A key acts as its user, so only the user and callers who may act as everyone create or list keys.
protocol::Status RequireOwn(const Call& call, const UserId& user) {
  if (call.is_back_end() || call.who.caller.user == user) return protocol::Ok();
  return ErrorFor(Reason::kOthersRecord, "these are another user's keys");
}

// The caller's credential may be revoked while the hash is computed: judge it again in the transaction, so
// that no key outlives it.
std::function<protocol::Status(const RecordTransaction&)> StillThere(const Call& call) {
  if (call.who.is_operator) return [](const RecordTransaction&) { return protocol::Ok(); };
  Knock knock;
  knock.credential = call.credential;
  knock.purpose = accounts::Purpose::kChange;
  knock.writes = true;
  if (knock.credential.starts_with(accounts::kApiKeyPrefix))
    knock.proven = {call.tenant(), protocol::Sure(call.who.caller.user), call.who.key_id};
  return
      [&authenticator = call.node().authenticator(), knock](const RecordTransaction& tx) -> protocol::Status {
        auto judged = authenticator.Judge(tx.reader(), knock);
        return judged.ok() ? protocol::Ok() : protocol::Status(std::move(judged.error()));
      };
}

struct NewApiKeyArgs : accounts::NewApiKey {
  UserId user_id;
  static constexpr void Fields(auto& field) {
    field("userId", &NewApiKeyArgs::user_id, "the user that it acts as");
    accounts::NewApiKey::Fields(field);
  }
};
struct MadeApiKey {
  ApiKeyView key;
  protocol::Omit<std::string> secret;
  static constexpr void Fields(auto& field) {
    field("apiKey", &MadeApiKey::key, "");
    field("secret", &MadeApiKey::secret, "shown once");
  }
};

void StoreKey(const Call& call, NewApiKeyArgs args, accounts::NewSecret secret, Answering<MadeApiKey> then) {
  features::DecideOnce<MadeApiKey>(
      call, call.tenant(),
      [still_there = StillThere(call), args = std::move(args),
       secret = std::move(secret)](RecordTransaction& tx) -> protocol::Result<MadeApiKey> {
        PARLEY_CHECK_OK(still_there(tx));
        PARLEY_TRY(key, accounts::MakeApiKey(tx, args.user_id, args, secret));
        return MadeApiKey{ViewOf(key), {secret.secret}};
      },
      [](MadeApiKey reply) {
        reply.secret.value.reset();
        return reply;
      },
      std::move(then));
}

void AddApiKey(const Call& call, NewApiKeyArgs args, Answering<MadeApiKey> then) {
  if (auto may = RequireOwn(call, args.user_id); !may.ok()) return then(std::move(may.error()));
  MakeSlowly<accounts::NewSecret>(
      call.io, call.tenant(), NewSecretOf(call, accounts::kApiKeyPrefix),
      [call, args = std::move(args), then = std::move(then)](protocol::Result<accounts::NewSecret> secret) {
        if (!secret.ok()) return then(std::move(secret.error()));
        StoreKey(call, args, *std::move(secret), then);
      });
}

struct ListKeysArgs : PageArgs {
  UserId user_id;
  static constexpr void Fields(auto& field) {
    field("userId", &ListKeysArgs::user_id, "the user");
    field("limit", &ListKeysArgs::limit, kLimitAbout);
    field("cursor", &ListKeysArgs::cursor, kCursorAbout);
  }
};

void ListKeys(const Call& call, ListKeysArgs args, Answering<Page<ApiKeyView>> then) {
  if (auto may = RequireOwn(call, args.user_id); !may.ok()) return then(std::move(may.error()));
  ReadRecords<std::vector<ApiKey>>(
      call.io, call.io.road(call.tenant()), call.tenant(),
      [id = args.user_id](const RecordReads& reads) { return accounts::ListApiKeys(reads, id); },
      [call, args, then = std::move(then)](protocol::Result<std::vector<ApiKey>> keys) {
        if (!keys.ok()) return then(std::move(keys.error()));
        std::vector<ApiKeyView> all;
        for (const ApiKey& key : *keys) all.push_back(ViewOf(key));
        then(PageOfAll(call, "api-keys/" + args.user_id.ToText(), args, std::move(all),
                       [](const ApiKeyView& key) { return key.key_id; }));
      });
}

struct ApiKeyArgs {
  UserId user_id;
  protocol::Text<64> key_id;
  static constexpr void Fields(auto& field) {
    field("userId", &ApiKeyArgs::user_id, "the user");
    field("keyId", &ApiKeyArgs::key_id, "the key");
  }
};

// Deletes the key and revokes the tokens issued with it.
protocol::Result<std::vector<SessionsToEnd>> TakeAway(RecordTransaction& tx, const ApiKeyArgs& args) {
  PARLEY_TRY(ends, accounts::RevokeTokensOfKey(tx, args.user_id, args.key_id.value));
  PARLEY_TRY(own, accounts::DeleteApiKey(tx, args.user_id, args.key_id.value));
  ends.push_back(std::move(own));
  return std::move(ends);
}

void DeleteKey(const Call& call, ApiKeyArgs args, Answering<NoContent> then) {
  if (auto may = RequireOwn(call, args.user_id); !may.ok()) return then(std::move(may.error()));
  DecideRecords<std::vector<SessionsToEnd>>(
      call.io, call.tenant(), [args = std::move(args)](RecordTransaction& tx) { return TakeAway(tx, args); },
      [&node = call.node(), tenant = call.tenant(),
       then](const protocol::Result<std::vector<SessionsToEnd>>& ends) {
        if (!ends.ok()) return then(ends.error());
        for (const SessionsToEnd& one : *ends) node.Revoke(RevocationOf(tenant, one));
        then(NoContent{});
      });
}

}  // namespace

std::vector<HttpRoute> ApiKeyRoutes() {
  using enum Method;
  const char* const kKeys = "/v1/users/{userId}/api-keys";
  return {
      RouteTo<NewApiKeyArgs, MadeApiKey, AddApiKey>(kPost, kKeys, "createApiKey", kEverybody, 201,
                                                    "Creates a key with which programs act as the user.",
                                                    kSecretly),
      RouteTo<ListKeysArgs, Page<ApiKeyView>, ListKeys>(kGet, kKeys, "listApiKeys", kEverybody, 200,
                                                        "The user's keys, without secrets.", kLooks),
      RouteTo<ApiKeyArgs, NoContent, DeleteKey>(
          kDelete, "/v1/users/{userId}/api-keys/{keyId}", "deleteApiKey", kEverybody, 204,
          "Revokes the key and the tokens issued with it.", kAdministers),
  };
}

}  // namespace parley::gateway
