// Operators and back ends change users and their tokens, and these users act.
#include "accounts/tokens/access_token.h"
#include "gateway/app/revocation.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "tests/accounts/suspension.h"
#include "tests/sim/operator_support.h"

namespace parley::sim {

using accounts::RecordTransaction;
using accounts::SessionsToEnd;
using gateway::HttpResponse;
using protocol::Result;
using protocol::UserId;

namespace {

// Secrets with valid proofs, computed once for all runs.
const accounts::NewSecret& PreparedKey(size_t n) {
  static const auto prepared = [] {
    std::vector<accounts::NewSecret> all;
    for (int i = 0; i < 4; ++i)
      all.push_back(accounts::PrepareSecret(accounts::kApiKeyPrefix, protocol::Time{1},
                                            [](size_t size) { return protocol::RandomBytes(size); }));
    return all;
  }();
  return prepared[n];
}

constexpr int64_t kGraceSeconds = 60;

bool IsUnknown(const protocol::Error& error) {
  return error.code == protocol::ErrorCode::kUnavailable;
}

}  // namespace

// Like PrepareSecret, but without the proof, which nothing checks here.
accounts::NewSecret Operators::CheapSecret(std::string_view prefix) {
  const auto random = [this](size_t size) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(Roll(256));
    return bytes;
  };
  accounts::NewSecret made;
  made.secret = std::string(prefix) + protocol::Hex(random(accounts::kSecretDigits / 2));
  made.id = "id-" + std::to_string(++names_);
  made.lookup_hash = accounts::LookupHashOf(made.secret);
  made.proof = {"c2FsdA==", "cHJvb2Y="};
  return made;
}

std::string Operators::Mint(Process& process, const Tenant& tenant, const KnownFamily& family) const {
  const accounts::TenantPtr known = process.node().tenants().Find(tenant.id);
  return known ? accounts::MintAccessToken(family.grant, known->id, process.clock().Now(),
                                           known->signing_secret, accounts::kOwnKid)
                     .token
               : "";
}

void Operators::End(Process& process, const Tenant& tenant, const SessionsToEnd& ends) {
  process.node().Revoke(gateway::RevocationOf(tenant.tenant_id(), ends));
}

// --- suspension, and all tokens

void Operators::ChangeStanding(Process& process, Tenant& tenant, Member& member) {
  if (!member.standing.certain()) return;
  if (member.standing.Is("good")) return Roll(4) == 0 ? SuspendMember(process, tenant, member) : void();
  member.standing.Ask("good");
  Decide<bool>(
      process, tenant,
      [user = member.user_id()](RecordTransaction& tx) -> Result<bool> {
        PARLEY_CHECK_OK(ReinstateUser(tx, user));
        return true;
      },
      [this, &process, &member](const Result<bool>& done) {
        done.ok() ? Acknowledged(process, member.standing) : member.standing.Lost();
      });
}

void Operators::SuspendMember(Process& process, Tenant& tenant, Member& member) {
  member.standing.Ask("suspended");
  Decide<SessionsToEnd>(
      process, tenant, [user = member.user_id()](RecordTransaction& tx) { return SuspendUser(tx, user); },
      [this, &process, &tenant, &member](const Result<SessionsToEnd>& ends) {
        if (!ends.ok()) return member.standing.Lost();
        End(process, tenant, *ends);
        ++report_.user_suspensions;
        Acknowledged(process, member.standing);
      });
}

void Operators::VoidTokens(Process& process, Tenant& tenant, Member& member) {
  if (member.voiding > 0 || member.signing_in) return;
  for (const KnownFamily& family : member.families)
    if (!family.state.certain() || family.renewal) return;
  std::vector<KnownFamily*> live;
  for (KnownFamily& family : member.families) {
    if (!family.state.Is("live")) continue;
    family.state.Ask("void");
    live.push_back(&family);
  }
  ++member.voiding;
  Call(process, tenant.id, kOperatorKey, "POST", "/v1/tokens/revoke?tenant=" + tenant.id,
       R"({"userId":")" + member.name + "\"}", [this, &process, &member, live](const HttpResponse& answer) {
         member.voiding = 0;
         size_t ignored = 0;
         for (KnownFamily* family : live) Settle(process, family->state, answer, &ignored);
         report_.voids += ignored > 0;
       });
}

// --- sign-ins and renewals

void Operators::SignIn(Process& process, Tenant& tenant, Member& member) {
  if (member.signing_in || member.voiding > 0) return;
  member.signing_in = true;
  const accounts::NewSecret first = CheapSecret(accounts::kRefreshTokenPrefix);
  accounts::SignIn asked{member.user_id()};
  asked.ttl_seconds = accounts::kAccessTokenSecondsMax;
  Decide<accounts::SignedIn>(
      process, tenant, [asked, first](RecordTransaction& tx) { return IssueTokens(tx, asked, first); },
      [&member, first](const Result<accounts::SignedIn>& made) {
        member.signing_in = false;
        if (!made.ok()) return;
        KnownFamily& family = member.families.emplace_back();
        family.grant = made->grant;
        family.refresh = first.secret;
      });
}

// Usually once. Now and then two at the same moment: both get the same answer or end the family, as the
// tenant's settings say. Or with a token that was used before.
void Operators::Renew(Process& process, Tenant& tenant, Member& member) {
  if (member.families.empty() || member.voiding > 0) return;
  KnownFamily& family = member.families.back();
  if (family.renewal && family.renewal->waits > 0) return;
  if (!family.state.Is("live")) return;
  if (family.renewal) {  // its outcome was lost: another request may be a second use
    family.state.Ask("void");
    return Present(process, tenant, member, family);
  }
  const size_t how = Roll(8);
  family.renewal.emplace();
  family.renewal->used_before = how == 0 && !family.used.empty();
  family.renewal->token = family.renewal->used_before ? family.used : family.refresh;
  family.renewal->graceful = how > 4;
  family.renewal->since_ms = process.clock().Now().ms;
  if (how == 7) Present(process, tenant, member, family);
  if (how > 1 || (how == 0 && family.used.empty())) return Present(process, tenant, member, family);
  family.state.Ask("void");
  Present(process, tenant, member, family);
  if (how == 1) Present(process, tenant, member, family);
}

void Operators::Present(Process& process, Tenant& tenant, Member& member, KnownFamily& family) {
  KnownFamily::Renewal& renewal = *family.renewal;
  const auto found = accounts::FindRefreshToken(process.table(), renewal.token, process.clock().Now(),
                                                process.node().sealer());
  if (!found.ok()) {
    Complain("a refresh token of " + member.name + " in " + tenant.id + " is not found");
    return;
  }
  const accounts::NewSecret next = CheapSecret(accounts::kRefreshTokenPrefix);
  renewal.nexts.push_back(next.secret);
  ++renewal.waits;
  Decide<accounts::Renewal>(
      process, tenant,
      [token = *found, next, graceful = renewal.graceful](RecordTransaction& tx) {
        const int64_t seconds = graceful ? kGraceSeconds : 0;
        const auto answer = [&](const accounts::Grant&, protocol::Time) { return next.secret; };
        return RenewTokens(tx, token, next, {seconds, answer});
      },
      [this, &process, &tenant, &family, next = next.secret](const Result<accounts::Renewal>& answer) {
        OnRenewed(process, tenant, family, next, answer);
      });
}

void Operators::OnRenewed(Process& process, Tenant& tenant, KnownFamily& family, const std::string& next,
                          const Result<accounts::Renewal>& answer) {
  KnownFamily::Renewal& renewal = *family.renewal;
  --renewal.waits;
  if (!answer.ok()) {
    renewal.lost |= IsUnknown(answer.error());
  } else if (answer->grant) {
    ++renewal.wins;
    if (renewal.used_before) Complain("in " + tenant.id + " a refresh token is used a second time");
    family.grant = *answer->grant;
    family.used = renewal.token;
    family.refresh = next;
  } else if (answer->answer) {
    ++renewal.repeats;
    ++report_.repeated_renewals;
    const bool is_one_of_them =
        std::find(renewal.nexts.begin(), renewal.nexts.end(), *answer->answer) != renewal.nexts.end();
    if (!renewal.graceful || !is_one_of_them || (renewal.wins > 0 && *answer->answer != family.refresh))
      Complain("in " + tenant.id + " a second use of a refresh token is answered with other tokens");
    family.used = renewal.token;
    family.refresh = *answer->answer;
  } else {
    ++renewal.losses;
    if (answer->ends) End(process, tenant, *answer->ends);
  }
  if (renewal.waits == 0) CloseRenewal(process, family);
}

void Operators::CloseRenewal(Process& process, KnownFamily& family) {
  const KnownFamily::Renewal& renewal = *family.renewal;
  if (renewal.wins > 1) Complain("two of one refresh token's uses win");
  if (renewal.lost) {  // unknown until the next start
    if (!family.state.certain()) family.state.Lost();
    return;
  }
  const bool undecided = renewal.wins + renewal.repeats + renewal.losses == 0;    // their user is suspended
  if (undecided && renewal.there.value_or(0) > 0) return family.state.Refused();  // it will be repeated
  const bool late = renewal.graceful && renewal.losses > 0 &&
                    process.clock().Now().ms - renewal.since_ms >= kGraceSeconds * 1000;
  if (late && family.state.certain()) family.state.Ask("void");
  const bool alone = family.state.certain();  // a use that should win
  if (alone && renewal.losses > 0) Complain("a refresh token that was not used before is refused");
  if (renewal.there && *renewal.there == 0 && renewal.wins == 0 && renewal.repeats > 0)
    Complain("a renewal that did not happen before the crash is answered again");
  const bool was_new = renewal.token != family.used || renewal.wins > 0;
  if (renewal.there && renewal.wins > 0 && *renewal.there > 0)
    Complain("a renewal that happened before the crash is granted again");
  if (renewal.there && was_new && renewal.losses > 0 && *renewal.there == 0)
    Complain("a renewal before the crash used the token up, and made none");
  if (renewal.wins > 0) ++report_.renewals;
  if (!alone && renewal.losses > 0) {
    ++report_.reuses;
    Acknowledged(process, family.state);
  } else if (!alone) {
    family.state.Refused();
  }
  family.renewal.reset();
}

// --- API keys

void Operators::ChangeApiKey(Process& process, Tenant& tenant, Member& member) {
  if (!has_api_keys_ || !member.api_key.certain() || member.name != "usr_a") return;
  const UserId user = member.user_id();
  if (member.api_key.Is("")) {
    member.api_secret = PreparedKey(static_cast<size_t>(&tenant - tenants_.data()));
    member.api_key.Ask("live");
    return Decide<accounts::ApiKey>(
        process, tenant,
        [user, secret = member.api_secret](RecordTransaction& tx) {
          return MakeApiKey(tx, user, {}, secret);
        },
        [this, &process, &member](const Result<accounts::ApiKey>& made) {
          made.ok() ? Acknowledged(process, member.api_key) : member.api_key.Lost();
        });
  }
  if (!member.api_key.Is("live") || Roll(6) != 0) return;
  member.api_key.Ask("gone");
  Decide<SessionsToEnd>(
      process, tenant,
      [user, id = member.api_secret.id](RecordTransaction& tx) { return DeleteApiKey(tx, user, id); },
      [this, &process, &tenant, &member](const Result<SessionsToEnd>& ends) {
        if (!ends.ok()) return member.api_key.Lost();
        End(process, tenant, *ends);
        Acknowledged(process, member.api_key);
      });
}

void Operators::TryApiKey(Process& process, Tenant& tenant, Member& member) {
  if (member.api_key.Is("")) return;
  ++report_.api_key_uses;
  Probe(process, "a request with an API key in " + tenant.id, tenant, member.api_secret.secret, "inbox.list",
        "{}", [this, &process, &tenant, &member] {
          return Expect(process, member.api_key, "live", &tenant, &member);
        });
}

// --- what users do

void Operators::TryToken(Process& process, Tenant& tenant, Member& member) {
  if (member.families.empty()) return;
  KnownFamily& family =
      member.families[member.families.size() - 1 - Roll(std::min<size_t>(2, member.families.size()))];
  const auto expect = [this, &process, &tenant, &member, &family] {
    return ExpectOf(process, tenant, member, family);
  };
  const std::string what = "a request of " + member.name + " in " + tenant.id,
                    token = Mint(process, tenant, family);
  if (token.empty()) return;
  if (tenant.room.thread.empty() || Roll(2) == 0)
    return Probe(process, what, tenant, token, "inbox.list", "{}", expect);
  Said& said = tenant.room.said.emplace_back();
  said.author = member.name;
  said.client_id = "http-" + member.name + "-" + std::to_string(++names_);
  said.body = MarkOf(tenant.id) + " by HTTP";
  Probe(process, what, tenant, token, "message.send",
        R"({"type":"text","threadId":")" + tenant.room.thread + R"(","clientId":")" + said.client_id +
            R"(","body":")" + said.body + "\"}",
        expect, [&said](const HttpResponse& answer) {
          protocol::Document body;
          if (protocol::DecodeJson(answer.body, {}, &body)) return;
          said.acknowledged = true;
          said.message_id = Text(body.root, "messageId");
        });
}

void Operators::BeUser(Process& process, Tenant& tenant, Member& member) {
  TenantUser& device = *member.device;
  if (!device.connected()) return Come(process, tenant, member);
  if (!device.ready()) return;
  if (Roll(40) == 0) return device.Disconnect();
  if (Roll(6) == 0) return device.Retry();
  const Member& other = tenant.members[&member == &tenant.members[0] ? 1 : 0];
  const std::string number = std::to_string(++names_);
  device.Talk(other.name, "said-" + member.name + "-" + number, "words " + number);
}

// Uses the last sign-in, even if it is void; if it is certainly void, the user soon signs in again.
void Operators::Come(Process& process, Tenant& tenant, Member& member) {
  if (member.families.empty() || (!member.families.back().state.Is("live") && Roll(3) == 0))
    return SignIn(process, tenant, member);
  KnownFamily& family = member.families.back();
  const std::string token = Mint(process, tenant, family);
  if (token.empty()) return;
  member.came = ExpectOf(process, tenant, member, family);
  member.device->Come(
      process, Roll(process.io_threads()), token, &family,
      [this, &process, &tenant, &member, &family, then = member.came](const std::string& code) {
        Judge("a hello of " + member.name + " in " + tenant.id, then,
              ExpectOf(process, tenant, member, family), code);
      });
}

}  // namespace parley::sim
