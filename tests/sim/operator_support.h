// The operator in the simulation: creates tenants, activates and suspends them, creates and revokes their
// keys, suspends users, and renews and voids their tokens, while users talk in these tenants. It records the
// answers and judges later requests by them. It has its own source of chance, so that the other actors of a
// run do not depend on it.
//
// Tenants and tenant keys are changed over HTTP. Changes that cost a slow hash there are made by the same
// decisions directly, with secrets whose proof is not computed.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "features/host/records.h"
#include "tests/sim/account_book_support.h"
#include "tests/sim/process_support.h"
#include "tests/sim/tenant_user_support.h"

namespace parley::sim {

// Counts of actions and judged answers.
struct AccountReport {
  size_t runs = 0, api_key_runs = 0;                         // runs with tenants, and with API keys in them
  size_t suspensions = 0, activations = 0, revocations = 0;  // acknowledged
  size_t user_suspensions = 0, voids = 0;
  size_t renewals = 0, repeated_renewals = 0, reuses = 0, api_key_uses = 0;
  size_t refused = 0, served = 0;  // requests whose answer was certain beforehand
  size_t ended = 0;                // sessions that the server closed
  size_t said = 0;                 // messages in tenants, acknowledged
  size_t events = 0;

  void operator+=(const AccountReport& other);
};

class Operators {
 public:
  Operators(uint64_t seed, std::vector<std::string>* complaints);

  // Does something or nothing.
  void Work(Process& process);
  void Leave();  // every user disconnects
  void ProcessGone();
  // Checks that acknowledged changes are in force, and that each other change happened as a whole or not at
  // all. REQUIRES: the process is at rest.
  void Check(Process& process, const char* when);
  // Lets every user in again, and checks that nothing is lost. REQUIRES: as above.
  void Finish(Process& process);

  AccountReport report() const;

 private:
  static constexpr size_t kTenants = 2, kUsers = 2;
  struct Member {
    std::string name;
    protocol::UserId user_id() const { return *protocol::UserId::FromText(name); }
    Fact standing{"good"};
    std::deque<KnownFamily> families;
    bool signing_in = false;
    size_t voiding = 0;
    Fact api_key{""};  // live or gone
    accounts::NewSecret api_secret;
    std::unique_ptr<TenantUser> device;
    Expectation came;  // the expectation when the device connected
  };
  struct Tenant {
    std::string id;
    protocol::TenantId tenant_id() const { return {protocol::KeyText::UpToNul(id)}; }
    Fact status{""};
    std::deque<KnownKey> keys;
    bool making_key = false;
    Room room;
    std::array<Member, kUsers> members;
  };

  // Sends a request over HTTP; calls `done` only if the answer comes.
  using OnAnswer = std::function<void(const gateway::HttpResponse&)>;
  struct Asked {
    std::shared_ptr<std::optional<gateway::HttpResponse>> answer;
    std::string tenant;
    OnAnswer done;
  };
  void Call(Process& process, const std::string& tenant, const std::string& credential,
            const std::string& method, const std::string& target, const std::string& body, OnAnswer done);
  gateway::HttpResponse Fetch(Process& process, const std::string& credential, const std::string& method,
                              const std::string& target, const std::string& body = {});
  void TakeAnswers();
  // Makes a decision; calls `done` only if it was made and is on disk.
  template <class T>
  void Decide(Process& process, const Tenant& tenant,
              std::function<protocol::Result<T>(accounts::RecordTransaction&)> decide,
              std::function<void(protocol::Result<T>)> done);
  void End(Process& process, const Tenant& tenant, const accounts::SessionsToEnd& ends);
  // The fact is acknowledged; each I/O thread learns it after its pending work.
  void Acknowledged(Process& process, Fact& fact);
  // Settles a fact by the status of an answer: acknowledged, rejected, or of unknown outcome.
  void Settle(Process& process, Fact& fact, const gateway::HttpResponse& answer, size_t* count);

  void ChangeTenant(Process& process, Tenant& tenant);
  void SetStatus(Process& process, Tenant& tenant, const std::string& status);
  void MakeKey(Process& process, Tenant& tenant);
  void RevokeKey(Process& process, Tenant& tenant);
  void TryKey(Process& process, Tenant& tenant);
  void ChangeStanding(Process& process, Tenant& tenant, Member& member);
  void SuspendMember(Process& process, Tenant& tenant, Member& member);
  void VoidTokens(Process& process, Tenant& tenant, Member& member);
  void SignIn(Process& process, Tenant& tenant, Member& member);
  void Renew(Process& process, Tenant& tenant, Member& member);
  void Present(Process& process, Tenant& tenant, Member& member, KnownFamily& family);
  void OnRenewed(Process& process, Tenant& tenant, KnownFamily& family, const std::string& next,
                 const protocol::Result<accounts::Renewal>& answer);
  void CloseRenewal(Process& process, KnownFamily& family);
  void ChangeApiKey(Process& process, Tenant& tenant, Member& member);
  void TryApiKey(Process& process, Tenant& tenant, Member& member);
  void TryToken(Process& process, Tenant& tenant, Member& member);
  void BeUser(Process& process, Tenant& tenant, Member& member);
  void Come(Process& process, Tenant& tenant, Member& member);

  // A request is served if its credential is good, its tenant (if given) is active, and its member is not
  // suspended.
  Expectation Expect(Process& process, const Fact& credential, std::string_view good, const Tenant* tenant,
                     const Member* member) const;
  Expectation ExpectOf(Process& process, const Tenant& tenant, const Member& member,
                       const KnownFamily& family) const {
    return Expect(process, family.state, "live", &tenant, &member);
  }
  // Judges an answer by the expectations at its request and at its arrival.
  void Judge(const std::string& what, const Expectation& then, const Expectation& now,
             const std::string& code);
  void Probe(Process& process, const std::string& what, Tenant& tenant, const std::string& credential,
             const std::string& op, const std::string& args, std::function<Expectation()> expect,
             OnAnswer served = {});
  void WatchSessions(Process& process);
  void CheckTenant(Process& process, Tenant& tenant, const char* when);
  void CheckKeys(Process& process, Tenant& tenant, const char* when);
  void CheckMember(Process& process, Tenant& tenant, Member& member, const char* when);
  void CheckRenewal(Process& process, Tenant& tenant, KnownFamily& family, const char* when);
  void CheckSaid(Process& process, Tenant& tenant, const char* when);
  void Learn(Fact& fact, const std::string& found, const std::string& what, const char* when);
  std::string Mint(Process& process, const Tenant& tenant, const KnownFamily& family) const;
  accounts::NewSecret CheapSecret(std::string_view prefix);
  void Complain(const std::string& what) { complaints_->push_back(what); }
  size_t Roll(size_t below) { return static_cast<size_t>(random_() % below); }

  std::mt19937_64 random_;
  std::vector<std::string>* const complaints_;
  const bool has_api_keys_;  // each costs slow hashes
  std::shared_ptr<int> life_ = std::make_shared<int>();
  std::array<Tenant, kTenants> tenants_;
  std::vector<Asked> asked_;
  AccountReport report_;
  size_t names_ = 0;
};

template <class T>
void Operators::Decide(Process& process, const Tenant& tenant,
                       std::function<protocol::Result<T>(accounts::RecordTransaction&)> decide,
                       std::function<void(protocol::Result<T>)> done) {
  features::DecideRecords<T>(*process.node().io_threads()[Roll(process.io_threads())], tenant.tenant_id(),
                             std::move(decide),
                             [done = std::move(done), life = std::weak_ptr(life_)](protocol::Result<T> made) {
                               if (!life.expired()) done(std::move(made));
                             });
}

}  // namespace parley::sim
