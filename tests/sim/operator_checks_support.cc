// Checks of the tenants and their accounts after every restart and at the end.
#include "accounts/users/user_standing.h"
#include "tests/sim/operator_support.h"
#include "threads/model/message_row.h"
#include "threads/model/row_reader.h"

namespace parley::sim {

using accounts::RecordReads;
using gateway::HttpResponse;
using protocol::UserId;
using protocol::Value;

void Operators::Learn(Fact& fact, const std::string& found, const std::string& what, const char* when) {
  const std::string now = fact.now(), asked = fact.asked().value_or(now);
  if (fact.Learn(found)) return;
  Complain(std::string(when) + ": " + what + " was acknowledged as '" + now + "', asked for '" + asked +
           "', and is '" + found + "'");
}

void Operators::Check(Process& process, const char* when) {
  for (Tenant& tenant : tenants_) {
    CheckTenant(process, tenant, when);
    if (tenant.status.Is("")) continue;
    CheckKeys(process, tenant, when);
    for (Member& member : tenant.members) CheckMember(process, tenant, member, when);
    CheckSaid(process, tenant, when);
  }
}

void Operators::CheckTenant(Process& process, Tenant& tenant, const char* when) {
  const HttpResponse answer = Fetch(process, kOperatorKey, "GET", "/v1/tenants/" + tenant.id);
  protocol::Document body;
  std::string status;
  if (answer.status == 200 && !protocol::DecodeJson(answer.body, {}, &body)) {
    status = Text(*body.root.Find("tenant"), "status");
    if (Text(*body.root.Find("tenant"), "name") != MarkOf(tenant.id))
      Complain(std::string(when) + ": " + tenant.id + " was made in part");
  }
  Learn(tenant.status, status, tenant.id, when);
}

// The acknowledged keys are listed, and one of them grants the right access. A key whose answer was lost
// shows nowhere else, so it is not checked.
void Operators::CheckKeys(Process& process, Tenant& tenant, const char* when) {
  const std::string target = "/v1/tenants/" + tenant.id + "/keys?limit=200";
  const HttpResponse answer = Fetch(process, kOperatorKey, "GET", target);
  protocol::Document body;
  if (answer.status != 200 || protocol::DecodeJson(answer.body, {}, &body))
    return Complain(std::string(when) + ": the keys of " + tenant.id + " cannot be read");
  std::map<std::string, std::string> listed;
  for (const Value& key : *body.root.Find("items")->as_array())
    listed[Text(key, "keyId")] = Text(key, "status");
  for (KnownKey& key : tenant.keys) Learn(key.state, listed[key.id], "a key of " + tenant.id, when);
  if (tenant.keys.empty()) return;
  const KnownKey& key = tenant.keys[tenant.room.said.size() % tenant.keys.size()];
  const HttpResponse opens = Fetch(process, key.secret, "GET", "/v1/users?limit=1");
  if (opens.status != (key.state.Is("active") ? 200 : 401))
    Complain(std::string(when) + ": a key of " + tenant.id + " is " + key.state.now() + " and answered " +
             std::to_string(opens.status));
}

void Operators::CheckMember(Process& process, Tenant& tenant, Member& member, const char* when) {
  const RecordReads reads(process.table(), tenant.tenant_id(), process.clock().Now(),
                          process.node().sealer());
  const std::string what = member.name + " of " + tenant.id;
  const UserId user = member.user_id();
  const auto standing = accounts::FindStanding(reads, user);
  if (!standing.ok()) return Complain(std::string(when) + ": " + what + " cannot be read");
  Learn(member.standing, standing->IsSuspended(reads.now()) ? "suspended" : "good", what, when);
  for (KnownFamily& family : member.families) {
    const auto live = accounts::FindLiveFamily(reads, user, family.grant.family_id, *standing);
    Learn(family.state, live.ok() && *live ? "live" : "void", "a sign-in of " + what, when);
    if (family.renewal) CheckRenewal(process, tenant, family, when);
  }
  if (member.api_secret.secret.empty()) return;
  const auto key =
      accounts::FindApiKey(process.table(), member.api_secret.secret, reads.now(), process.node().sealer());
  const char* const none = member.api_key.now().empty() ? "" : "gone";
  Learn(member.api_key, key.ok() ? "live" : none, "an API key of " + what, when);
}

// Either the token was used up and the next one exists, or neither; the next use shows which.
void Operators::CheckRenewal(Process& process, Tenant& tenant, KnownFamily& family, const char* when) {
  KnownFamily::Renewal& renewal = *family.renewal;
  size_t there = 0;
  for (const std::string& next : renewal.nexts)
    there += accounts::FindRefreshToken(process.table(), next, process.clock().Now(), process.node().sealer())
                 .ok();
  if (there > 1) Complain(std::string(when) + ": in " + tenant.id + " one use made two refresh tokens");
  if (there < renewal.wins)
    Complain(std::string(when) + ": in " + tenant.id + " an acknowledged refresh token is lost");
  if (!family.state.Is("live") || renewal.wins > 0) return family.renewal.reset();
  renewal.there = there;
  renewal.losses = 0;
  renewal.lost = false;
}

void Operators::CheckSaid(Process& process, Tenant& tenant, const char* when) {
  if (tenant.room.thread.empty()) return;
  const threads::RowReader rows(process.table(), tenant.tenant_id());
  const auto thread = *protocol::ThreadId::FromText(tenant.room.thread);
  for (const Said& said : tenant.room.said) {
    if (!said.acknowledged) continue;
    const auto row = rows.Message(thread, *protocol::MessageId::FromText(said.message_id));
    if (!row.ok() || !*row || (*row)->item.body != said.body)
      Complain(std::string(when) + ": an acknowledged message of " + tenant.id +
               " is lost: " + said.client_id);
  }
}

// Messages from before, between and after suspensions are there for every user who may sign in again.
void Operators::Finish(Process& process) {
  Leave();
  process.Settle();
  TakeAnswers();
  process.Settle();
  for (Tenant& tenant : tenants_) {
    if (tenant.status.Is("") || tenant.room.thread.empty()) continue;
    Fetch(process, kOperatorKey, "POST", "/v1/tenants/" + tenant.id + "/activate", "{}");
    const HttpResponse made =
        Fetch(process, kOperatorKey, "POST", "/v1/tenants/" + tenant.id + "/keys", "{}");
    protocol::Document key, page;
    if (made.status != 201 || protocol::DecodeJson(made.body, {}, &key))
      return Complain("at the end: no key can be made of " + tenant.id);
    const HttpResponse list = Fetch(process, Text(key.root, "secret"), "POST", "/v1/ops/message.list",
                                    R"({"limit":50,"threadId":")" + tenant.room.thread + "\"}");
    if (list.status != 200 || protocol::DecodeJson(list.body, {}, &page))
      return Complain("at the end: the room of " + tenant.id + " cannot be read: " + list.body);
    std::map<std::string, std::string> shown;
    for (const Value& message : *page.root.Find("messages")->as_array())
      shown[Text(message, "messageId")] = Text(message, "body");
    for (const Said& said : tenant.room.said) {
      const bool due = said.acknowledged && !shown.empty() && said.message_id >= shown.begin()->first;
      if (due && shown[said.message_id] != said.body)
        Complain("at the end: a message of " + tenant.id + " is not shown: " + said.client_id);
    }
    tenant.status.Learn("active");
  }
}

}  // namespace parley::sim
