// Routes that issue, refresh and revoke access and refresh tokens.
#include "accounts/tokens/access_token.h"
#include "accounts/tokens/refresh_token.h"
#include "features/host/once.h"
#include "features/host/records.h"
#include "gateway/app/origin.h"
#include "gateway/http/slowly.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"

namespace parley::gateway {
namespace {

using accounts::FoundRefreshToken;
using accounts::Grant;
using accounts::NewSecret;
using accounts::RecordTransaction;
using accounts::SessionsToEnd;
using accounts::Tenant;
using accounts::TenantPtr;
using protocol::Error;
using protocol::Reason;

struct Tokens {
  protocol::Omit<std::string> token, refresh_token;
  protocol::Time expires_at;
  static constexpr void Fields(auto& field) {
    field("token", &Tokens::token, "an access token, for the Authorization header and session.hello");
    field("refreshToken", &Tokens::refresh_token, "good for one refresh; shown once");
    field("expiresAt", &Tokens::expires_at, "end of the access token");
  }
};

Tokens TokensOf(const Grant& grant, const Tenant& tenant, protocol::Time now, const NewSecret& refresh) {
  accounts::AccessToken made =
      accounts::MintAccessToken(grant, tenant.id, now, tenant.signing_secret, accounts::kOwnKid);
  return {{std::move(made.token)}, {refresh.secret}, made.expires_at};
}

void EndAll(Node& node, const protocol::TenantId& tenant, const std::vector<SessionsToEnd>& ends) {
  for (const SessionsToEnd& one : ends) node.Revoke(RevocationOf(tenant, one));
}

// --- issue

struct IssueArgs {
  std::optional<protocol::UserId> user_id;
  std::optional<accounts::UserRole> role;
  std::optional<protocol::Bounded<1, accounts::kAccessTokenSecondsMax>> ttl_seconds;
  std::optional<protocol::Text<64>> scope;
  static constexpr void Fields(auto& field) {
    using T = IssueArgs;
    field("userId", &T::user_id, "the user; with a user API key, only its own user");
    field("role", &T::role, "the role; that of the user's record if not given");
    field("ttlSeconds", &T::ttl_seconds, "an hour if not given");
    field("scope", &T::scope, "`read` for read-only access; `full` if not given");
  }
};

// A user must ask with an API key, since otherwise a token could renew itself forever, and only for
// themselves.
protocol::Result<accounts::SignIn> SignInOf(const Call& call, const IssueArgs& args) {
  accounts::SignIn out;
  if (args.scope && !accounts::IsKnownScope(args.scope->value))
    return Error::BadField("scope", "is not one of the known values");
  if (call.is_back_end()) {
    if (!args.user_id) return Error::BadField("userId", "is required");
    out.user = *args.user_id;
    out.role = args.role;
    if (args.ttl_seconds) out.ttl_seconds = args.ttl_seconds->value;
    if (args.scope) out.scope = args.scope->value;
    return out;
  }
  if (!call.credential.starts_with(accounts::kApiKeyPrefix))
    return ErrorFor(protocol::Reason::kOnlyServices, "only back ends and user API keys can issue tokens");
  out.user = protocol::Sure(call.who.caller.user);
  out.key_id = call.who.key_id;
  if (args.user_id.value_or(out.user) != out.user || args.role || args.ttl_seconds || args.scope)
    return ErrorFor(Reason::kOthersRecord,
                    "an API key can only issue tokens for its own user and cannot set options");
  return out;
}

void IssueWith(const Call& call, accounts::SignIn asked, NewSecret first, Answering<Tokens> then) {
  const TenantPtr tenant = call.node().tenants().Find(call.tenant().ToText());
  auto ends = std::make_shared<std::vector<SessionsToEnd>>();
  features::DecideOnce<Tokens>(
      call, call.tenant(),
      [tenant, ends, asked = std::move(asked),
       first = std::move(first)](RecordTransaction& tx) -> protocol::Result<Tokens> {
        PARLEY_TRY(signed_in, accounts::IssueTokens(tx, asked, first));
        *ends = std::move(signed_in.ends);
        return TokensOf(signed_in.grant, *tenant, tx.now(), first);
      },
      [](const Tokens& reply) {
        return Tokens{{}, {}, reply.expires_at};
      },
      [&node = call.node(), tenant, ends, then = std::move(then)](protocol::Result<Tokens> reply) {
        if (reply.ok()) EndAll(node, tenant->id, *ends);
        then(std::move(reply));
      });
}

void Issue(const Call& call, IssueArgs args, Answering<Tokens> then) {
  auto asked = SignInOf(call, args);
  if (!asked.ok()) return then(std::move(asked.error()));
  MakeSlowly<NewSecret>(
      call.io, call.tenant(), NewSecretOf(call, accounts::kRefreshTokenPrefix),
      [call, asked = *std::move(asked), then = std::move(then)](protocol::Result<NewSecret> first) {
        if (!first.ok()) return then(std::move(first.error()));
        IssueWith(call, asked, *std::move(first), then);
      });
}

// --- refresh and revoke: the token is the credential

using RefreshTokenText = protocol::Text<128>;
constexpr std::string_view kRefreshTokenField = "refreshToken";

// A proven refresh token with its tenant, and the secret of the next token.
struct Holder {
  FoundRefreshToken token;
  TenantPtr tenant;
  NewSecret next;
};

// Checks in the order of the connect decision. The transaction checks later whether the user is suspended.
protocol::Result<Holder> Admit(const Call& call, FoundRefreshToken token, std::optional<NewSecret> next) {
  accounts::ConnectFacts facts;
  const std::string origin = call.node().config().demo ? "" : ForeignOrigin(call.exchange->request());
  if (next) facts.credential = accounts::CredentialState::kGood;
  facts.tenant = call.node().tenants().Find(token.tenant.ToText());
  facts.origin = origin;
  PARLEY_CHECK_OK(accounts::DecideConnect(facts, accounts::Purpose::kOp));
  if (!next) return accounts::Unauthenticated();
  return Holder{std::move(token), std::move(facts.tenant), *std::move(next)};
}

// Returns nullopt if `secret` does not prove the token.
std::function<std::optional<NewSecret>()> ProvenAndNext(const Call& call, const std::string& secret,
                                                        const accounts::SecretProof& proof) {
  return
      [secret, proof, next = NewSecretOf(call, accounts::kRefreshTokenPrefix)]() -> std::optional<NewSecret> {
        if (!accounts::Proves(secret, proof)) return std::nullopt;
        return next();
      };
}

// Charges the user's request limit, as for a request with an access token.
protocol::Status Charge(const Call& call, const FoundRefreshToken& token) {
  Identity who;
  who.caller.tenant = token.tenant;
  who.caller.user = token.user;
  const auto charged = call.node().rate_limits().Charge(who, {});
  if (!charged || charged->verdict.allowed) return protocol::Ok();
  return accounts::RateLimited(charged->verdict);
}

// Counts a refresh token that is not accepted as a failed credential of the caller's address. This includes
// tokens already used, since the caller cannot tell them from a guess. The password hash is charged to the
// address before it is computed, and refunded unless the token was bad.
class Guess {
 public:
  explicit Guess(const Call& call)
      : limits_(call.node().rate_limits()), address_(call.exchange->request().address) {}

  accounts::Verdict MayTry() { return limits_.MayTry(address_); }
  accounts::Verdict TakePasswordHash() {
    const accounts::Verdict verdict = limits_.TakeTry(address_, RateLimits::kPasswordHashCost);
    taken_ = verdict.allowed;
    return verdict;
  }
  void Settle(const Error* error) {
    if (error) limits_.NoteFailure(address_, *error);
    const bool was_bad = error && error->code == protocol::ErrorCode::kUnauthenticated;
    if (std::exchange(taken_, false) && !was_bad)
      limits_.GiveBackTry(address_, RateLimits::kPasswordHashCost);
  }

 private:
  RateLimits& limits_;
  const std::string address_;
  bool taken_ = false;
};
using GuessPtr = std::shared_ptr<Guess>;

template <class Reply>
Answering<Reply> Settling(const GuessPtr& guess, Answering<Reply> then) {
  return [guess, then = std::move(then)](protocol::Result<Reply> reply) {
    guess->Settle(reply.ok() ? nullptr : &reply.error());
    then(std::move(reply));
  };
}

void FindHolder(const Call& call, const GuessPtr& guess, const std::string& secret, Answering<Holder> then) {
  const auto may_try = guess->MayTry();
  if (!may_try.allowed) return then(accounts::RateLimited(may_try));
  ReadAnywhere<FoundRefreshToken>(
      call.io, call.io.road(),
      [&node = std::as_const(call.node()), secret](const storage::Reader& reader) {
        return accounts::FindRefreshToken(reader, secret, node.clock().Now(), node.sealer());
      },
      [call, guess, secret, then](protocol::Result<FoundRefreshToken> found) {
        if (!found.ok()) return then(std::move(found.error()));
        if (auto may = Charge(call, *found); !may.ok()) return then(std::move(may.error()));
        if (const auto dear = guess->TakePasswordHash(); !dear.allowed)
          return then(accounts::RateLimited(dear));
        MakeSlowly<std::optional<NewSecret>>(
            call.io, found->tenant, ProvenAndNext(call, secret, found->proof),
            [call, token = *std::move(found), then](protocol::Result<std::optional<NewSecret>> next) {
              if (!next.ok()) return then(std::move(next.error()));
              then(Admit(call, token, *std::move(next)));
            });
      });
}

struct RefreshArgs {
  RefreshTokenText refresh_token;
  static constexpr void Fields(auto& field) {
    field(kRefreshTokenField, &RefreshArgs::refresh_token,
          "the token, which is used up; no other credential is needed");
  }
};

// The stored form of the answer, for a repeated refresh.
std::string TextOf(const Tokens& tokens) {
  return protocol::MsgpackToJson(protocol::Encode(tokens));
}
protocol::Result<Tokens> TokensFrom(const std::string& text) {
  protocol::Document document;
  Tokens tokens;
  if (protocol::DecodeJson(text, {}, &document) || !protocol::Bind(document.root, &tokens).ok())
    return Error(protocol::ErrorCode::kInternal, "an earlier answer cannot be read");
  return tokens;
}

accounts::RenewalTerms TermsOf(const Holder& holder) {
  return {holder.tenant->refresh_grace_seconds(),
          [tenant = holder.tenant, next = holder.next](const Grant& grant, protocol::Time now) {
            return TextOf(TokensOf(grant, *tenant, now, next));
          }};
}

void Renew(const Call& call, const Holder& holder, Answering<Tokens> then) {
  DecideRecords<accounts::Renewal>(
      call.io, holder.tenant->id,
      [holder](RecordTransaction& tx) {
        return accounts::RenewTokens(tx, holder.token, holder.next, TermsOf(holder));
      },
      [&node = call.node(), holder, then = std::move(then)](protocol::Result<accounts::Renewal> renewal) {
        if (!renewal.ok()) return then(std::move(renewal.error()));
        if (renewal->ends) EndAll(node, holder.tenant->id, {*renewal->ends});
        then(renewal->answer ? TokensFrom(*renewal->answer)
                             : protocol::Result<Tokens>(accounts::Unauthenticated()));
      });
}

void Refresh(const Call& call, RefreshArgs args, Answering<Tokens> answer) {
  const auto guess = std::make_shared<Guess>(call);
  auto then = Settling(guess, std::move(answer));
  FindHolder(call, guess, args.refresh_token.value,
             [call, then = std::move(then)](const protocol::Result<Holder>& holder) {
               if (!holder.ok()) return then(holder.error());
               Renew(call, *holder, then);
             });
}

struct RevokeArgs {
  std::optional<RefreshTokenText> refresh_token;
  std::optional<protocol::UserId> user_id;
  static constexpr void Fields(auto& field) {
    field(kRefreshTokenField, &RevokeArgs::refresh_token,
          "revokes its whole family; no other credential is needed");
    field("userId", &RevokeArgs::user_id,
          "for back ends: revokes every token issued to this user before now");
  }
};

void GiveUp(const Call& call, const Holder& holder, Answering<NoContent> then) {
  using MaybeEnds = std::optional<SessionsToEnd>;
  DecideRecords<MaybeEnds>(
      call.io, holder.tenant->id,
      [holder](RecordTransaction& tx) { return accounts::RevokeTokens(tx, holder.token); },
      [&node = call.node(), tenant = holder.tenant->id,
       then = std::move(then)](protocol::Result<MaybeEnds> ends) {
        if (!ends.ok()) return then(std::move(ends.error()));
        if (*ends) EndAll(node, tenant, {**ends});
        then(NoContent{});
      });
}

void VoidAll(const Call& call, const protocol::UserId& user, Answering<NoContent> then) {
  DecideRecords<SessionsToEnd>(
      call.io, call.tenant(), [user](RecordTransaction& tx) { return accounts::VoidTokens(tx, user); },
      [&node = call.node(), tenant = call.tenant(), then](const protocol::Result<SessionsToEnd>& ends) {
        if (!ends.ok()) return then(ends.error());
        EndAll(node, tenant, {*ends});
        then(NoContent{});
      });
}

void Revoke(const Call& call, RevokeArgs args, Answering<NoContent> then) {
  if (args.refresh_token.has_value() == args.user_id.has_value())
    return then(Error::BadRequest("give either refreshToken or userId"));
  if (args.user_id) return VoidAll(call, *args.user_id, std::move(then));
  const auto guess = std::make_shared<Guess>(call);
  FindHolder(call, guess, args.refresh_token->value,
             [call, then = Settling(guess, std::move(then))](const protocol::Result<Holder>& holder) {
               if (!holder.ok()) return then(holder.error());
               GiveUp(call, *holder, then);
             });
}

}  // namespace

std::vector<HttpRoute> TokenRoutes() {
  using enum Method;
  return {
      RouteTo<IssueArgs, Tokens, Issue>(
          kPost, "/v1/tokens", "createTokens", kEverybody, 200,
          "Issues tokens of a user: for back ends, and for the user's API keys.",
          {.for_readers = true, .secret = true}),
      RouteTo<RefreshArgs, Tokens, Refresh>(
          kPost, "/v1/tokens/refresh", "refreshTokens", kAnyone, 200,
          "Issues the next tokens. A repeat within refreshGraceSeconds returns the same answer, so that a "
          "lost answer signs no user out; any other second use revokes all tokens of the same sign-in.",
          {.of_no_tenant = true, .secret = true}),
      RouteTo<RevokeArgs, NoContent, Revoke>(kPost, "/v1/tokens/revoke", "revokeTokens", kBackEnd, 204,
                                             "Revokes issued tokens and ends their sessions.",
                                             {.credential = kRefreshTokenField}),
  };
}

}  // namespace parley::gateway
