#include "tests/sim/operator_support.h"

#include <utility>

#include "gateway/app/revocation.h"

namespace parley::sim {

using gateway::HttpResponse;
using protocol::Value;

namespace {

const char* const kActions[] = {"activate", "suspend"};

std::string CodeOf(const HttpResponse& answer) {
  if (answer.status < 300) return {};
  protocol::Document body;
  if (protocol::DecodeJson(answer.body, {}, &body)) return "HTTP " + std::to_string(answer.status);
  const Value* error = body.root.Find("error");
  return error ? Text(*error, "code") : "HTTP " + std::to_string(answer.status);
}

// Such an answer contains no decision.
bool SaysNothing(const std::string& code) {
  return code == "UNAVAILABLE" || code == "RATE_LIMITED" || code == "INTERNAL";
}

}  // namespace

Operators::Operators(uint64_t seed, std::vector<std::string>* complaints)
    : random_(seed ^ 0x74656e616e74), complaints_(complaints), has_api_keys_(seed % 7 == 1) {
  for (size_t i = 0; i < kTenants; ++i) {
    tenants_[i].id = "ten-" + std::to_string(i + 1);
    for (size_t j = 0; j < kUsers; ++j) {
      Member& member = tenants_[i].members[j];
      // the same names as the demo's users
      member.name = "usr_" + std::string(1, static_cast<char>('a' + j));
      member.device = std::make_unique<TenantUser>(tenants_[i].id, member.name, (i + j) % 2 == 0,
                                                   seed * 100 + i * 10 + j, &tenants_[i].room, complaints);
    }
  }
}

void Operators::Work(Process& process) {
  TakeAnswers();
  WatchSessions(process);
  if (Roll(3) == 0) process.node().item_writer().Step();
  if (Roll(2) == 0) process.StepLoop(Roll(process.io_threads()));
  process.node().password_hash_pool().Step();
  if (Roll(3) != 0) return;
  Tenant& tenant = tenants_[Roll(kTenants)];
  if (tenant.status.Is("")) return SetStatus(process, tenant, "onboarding");
  Member& member = tenant.members[Roll(kUsers)];
  switch (Roll(32)) {
    case 0:
      return ChangeTenant(process, tenant);
    case 1:
      return MakeKey(process, tenant);
    case 2:
      return Roll(2) == 0 ? RevokeKey(process, tenant) : TryKey(process, tenant);
    case 3:
    case 4:
    case 5:
      return TryKey(process, tenant);
    case 6:
      return ChangeStanding(process, tenant, member);
    case 7:
      return Roll(3) == 0 ? VoidTokens(process, tenant, member) : void();
    case 8:
    case 9:
      return Renew(process, tenant, member);
    case 10:
      return ChangeApiKey(process, tenant, member);
    case 11:
      return TryApiKey(process, tenant, member);
    case 12:
    case 13:
    case 14:
      return TryToken(process, tenant, member);
    default:
      return BeUser(process, tenant, member);
  }
}

void Operators::Leave() {
  for (Tenant& tenant : tenants_) {
    for (Member& member : tenant.members) {
      member.device->ReadAll();
      member.device->Disconnect();
      member.device->TakeCloseCode();
    }
  }
}

void Operators::ProcessGone() {
  TakeAnswers();
  asked_.clear();
  life_ = std::make_shared<int>();
  for (Tenant& tenant : tenants_) {
    tenant.status.Lost();
    tenant.making_key = false;
    for (KnownKey& key : tenant.keys) key.state.Lost();
    for (Member& member : tenant.members) {
      member.device->ReadAll();
      member.device->ProcessGone();
      member.device->TakeCloseCode();
      member.standing.Lost();
      member.api_key.Lost();
      member.signing_in = false;
      member.voiding = 0;
      for (KnownFamily& family : member.families) {
        family.state.Lost();
        if (family.renewal) family.renewal->waits = 0;
      }
    }
  }
}

AccountReport Operators::report() const {
  AccountReport out = report_;
  out.runs = !tenants_[0].status.Is("");
  out.api_key_runs = out.runs * has_api_keys_;
  for (const Tenant& tenant : tenants_) {
    for (const Said& said : tenant.room.said) out.said += said.acknowledged;
    for (const Member& member : tenant.members) out.events += member.device->events();
  }
  return out;
}

void AccountReport::operator+=(const AccountReport& other) {
  for (const auto count :
       {&AccountReport::suspensions, &AccountReport::activations, &AccountReport::revocations,
        &AccountReport::user_suspensions, &AccountReport::voids, &AccountReport::renewals,
        &AccountReport::repeated_renewals, &AccountReport::reuses, &AccountReport::api_key_uses,
        &AccountReport::runs, &AccountReport::api_key_runs, &AccountReport::refused, &AccountReport::served,
        &AccountReport::ended, &AccountReport::said, &AccountReport::events})
    this->*count += other.*count;
}

// --- requests

void Operators::Call(Process& process, const std::string& tenant, const std::string& credential,
                     const std::string& method, const std::string& target, const std::string& body,
                     OnAnswer done) {
  gateway::HttpRequest request{method, target, body, "192.0.2.99", {}};
  request.headers = {{"Authorization", "Bearer " + credential}};
  asked_.push_back(
      {process.transport(Roll(process.io_threads())).Http(std::move(request)), tenant, std::move(done)});
}

HttpResponse Operators::Fetch(Process& process, const std::string& credential, const std::string& method,
                              const std::string& target, const std::string& body) {
  gateway::HttpRequest request{method, target, body, "192.0.2.100", {}};
  request.headers = {{"Authorization", "Bearer " + credential}};
  const auto answer = process.transport(Roll(process.io_threads())).Http(std::move(request));
  process.Settle();
  if (*answer) return **answer;
  Complain(method + " " + target + " is not answered");
  return {};
}

void Operators::TakeAnswers() {
  std::vector<Asked> left;
  for (Asked& one : std::exchange(asked_, {})) {
    if (!*one.answer) {
      left.push_back(std::move(one));
      continue;
    }
    if (!one.tenant.empty() && HasForeignMark((*one.answer)->body, one.tenant))
      Complain("an answer in " + one.tenant + " tells of another tenant");
    one.done(**one.answer);
  }
  for (Asked& one : asked_) left.push_back(std::move(one));  // requested in the meantime
  asked_ = std::move(left);
}

void Operators::Acknowledged(Process& process, Fact& fact) {
  fact.Acknowledged();
  for (size_t io = 0; io < process.io_threads(); ++io) {
    process.transport(io).Post([&fact, io, changes = fact.changes(), life = std::weak_ptr(life_)] {
      if (!life.expired() && fact.changes() == changes) fact.ReachedIoThread(io);
    });
  }
}

void Operators::Settle(Process& process, Fact& fact, const HttpResponse& answer, size_t* count) {
  const std::string code = CodeOf(answer);
  if (code.empty()) {
    ++*count;
    return Acknowledged(process, fact);
  }
  if (SaysNothing(code)) return fact.Lost();
  Complain("an operator is refused: " + code);
  fact.Refused();
}

// --- judgement

Expectation Operators::Expect(Process& process, const Fact& credential, std::string_view good,
                              const Tenant* tenant, const Member* member) const {
  Expectation out;
  out.clock_off_ms = process.clock().Now().ms - process.clock().MonotonicMs();
  out.void_for_good = credential.certain() && !credential.Is(good);
  bool shut = out.void_for_good, open = credential.Is(good);
  out.changes = credential.changes();
  if (tenant) {
    out.changes += tenant->status.changes();
    shut |= tenant->status.certain() && !tenant->status.Is("active");
    open &= tenant->status.Is("active");
  }
  if (member) {
    out.changes += member->standing.changes();
    shut |= member->standing.Is("suspended");
    open &= member->standing.Is("good");
  }
  out.verdict = shut ? Verdict::kShut : open ? Verdict::kOpen : Verdict::kUnsure;
  return out;
}

void Operators::Judge(const std::string& what, const Expectation& then, const Expectation& now,
                      const std::string& code) {
  if (SaysNothing(code)) return;
  const bool unchanged = then.changes == now.changes;
  if (then.void_for_good || (then.verdict == Verdict::kShut && unchanged)) {
    if (code.empty()) return Complain(what + " is served, although that was refused for certain");
    if (code != "UNAUTHENTICATED" && code != "FORBIDDEN" && code != "AUTH_EXPIRED")
      return Complain(what + " is refused with " + code);
    ++report_.refused;
  } else if (then.verdict == Verdict::kOpen && unchanged && then.clock_off_ms == now.clock_off_ms) {
    if (!code.empty()) return Complain(what + " is refused without reason: " + code);
    ++report_.served;
  }
}

void Operators::Probe(Process& process, const std::string& what, Tenant& tenant,
                      const std::string& credential, const std::string& op, const std::string& args,
                      std::function<Expectation()> expect, OnAnswer served) {
  Call(process, tenant.id, credential, "POST", "/v1/ops/" + op, args,
       [this, what, expect, served, then = expect()](const HttpResponse& answer) {
         const std::string code = CodeOf(answer);
         Judge(what, then, expect(), code);
         if (code.empty() && served) served(answer);
       });
}

// A session of a user who is shut out ends as soon as the change reached its I/O thread.
void Operators::WatchSessions(Process& process) {
  for (Tenant& tenant : tenants_) {
    for (Member& member : tenant.members) {
      TenantUser& device = *member.device;
      device.ReadAll();
      if (const uint16_t code = device.TakeCloseCode(); code != 0) {
        ++report_.ended;
        const Expectation now = ExpectOf(process, tenant, member, *device.family());
        const bool reason = member.came.verdict != Verdict::kOpen || member.came.changes != now.changes ||
                            member.came.clock_off_ms != now.clock_off_ms;
        if (code != 4508 && ((code != 4401 && code != 4403) || !reason))
          Complain(member.name + " of " + tenant.id + " is closed with " + std::to_string(code));
      }
      if (!device.live()) continue;
      const size_t io = device.io();
      if (tenant.status.HoldsOn("suspended", io) || tenant.status.HoldsOn("onboarding", io))
        Complain("a session of " + tenant.id + " goes on, which is " + tenant.status.now());
      if (member.standing.HoldsOn("suspended", io))
        Complain("a session of " + member.name + " goes on, who is suspended in " + tenant.id);
      if (device.family()->state.HoldsOn("void", io))
        Complain("a session of " + member.name + " in " + tenant.id + " goes on, its token is void");
    }
  }
}

// --- tenants and their keys

void Operators::ChangeTenant(Process& process, Tenant& tenant) {
  if (!tenant.status.certain()) return;
  const bool suspends = tenant.status.Is("active");
  if (suspends && Roll(3) != 0) return;  // most of the time the tenants are active
  SetStatus(process, tenant, suspends ? "suspended" : "active");
}

void Operators::SetStatus(Process& process, Tenant& tenant, const std::string& status) {
  const bool makes = status == "onboarding", suspends = status == "suspended";
  size_t* count = suspends ? &report_.suspensions : &report_.activations;
  tenant.status.Ask(status);
  const auto done = [this, &process, &tenant, count](const HttpResponse& answer) {
    Settle(process, tenant.status, answer, count);
  };
  if (makes)
    return Call(
        process, tenant.id, kOperatorKey, "POST", "/v1/tenants",
        R"({"tenantId":")" + tenant.id + R"(","name":")" + MarkOf(tenant.id) +
            R"(","settings":{"knownUsersOnly":false,"userProjects":true,"limits":{"enabled":false},"messageRequests":{"enabled":false},"safety":{"textPolicy":"off"}}})",
        done);
  Call(process, tenant.id, kOperatorKey, "POST", "/v1/tenants/" + tenant.id + "/" + kActions[suspends], "{}",
       done);
}

void Operators::MakeKey(Process& process, Tenant& tenant) {
  if (tenant.making_key || tenant.keys.size() >= 8) return;
  tenant.making_key = true;
  Call(process, tenant.id, kOperatorKey, "POST", "/v1/tenants/" + tenant.id + "/keys", "{}",
       [this, &tenant](const HttpResponse& answer) {
         tenant.making_key = false;
         protocol::Document body;
         if (!CodeOf(answer).empty() || protocol::DecodeJson(answer.body, {}, &body)) return;
         KnownKey& key = tenant.keys.emplace_back();
         key.id = Text(*body.root.Find("key"), "keyId");
         key.secret = Text(body.root, "secret");
       });
}

void Operators::RevokeKey(Process& process, Tenant& tenant) {
  if (tenant.keys.empty()) return;
  KnownKey& key = tenant.keys[Roll(tenant.keys.size())];
  if (!key.state.Is("active")) return;
  key.state.Ask("revoked");
  Call(process, tenant.id, kOperatorKey, "POST", "/v1/tenants/" + tenant.id + "/keys/" + key.id + "/revoke",
       "{}", [this, &process, &key](const HttpResponse& answer) {
         Settle(process, key.state, answer, &report_.revocations);
       });
}

// Uses a good key for a call that is always allowed, and for one that needs an active tenant; on any I/O
// thread.
void Operators::TryKey(Process& process, Tenant& tenant) {
  if (tenant.keys.empty()) return;
  KnownKey& key = tenant.keys[Roll(tenant.keys.size())];
  const bool looks = Roll(2) == 0;
  const auto expect = [this, &process, &key, of = looks ? nullptr : &tenant] {
    return Expect(process, key.state, "active", of, nullptr);
  };
  const std::string what = "a request with a key of " + tenant.id;
  if (!looks && tenant.room.thread.empty()) return;
  if (!looks)
    return Probe(process, what, tenant, key.secret, "message.list",
                 R"({"threadId":")" + tenant.room.thread + "\"}", expect);
  Call(process, tenant.id, key.secret, "GET", "/v1/users?limit=1", "",
       [this, what, expect, then = expect()](const HttpResponse& answer) {
         Judge(what, then, expect(), CodeOf(answer));
       });
}

}  // namespace parley::sim
