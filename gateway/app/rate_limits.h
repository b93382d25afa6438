// What requests and writing cost whom: the tenants' limits (accounts/limits/) put where they hold. Requests
// are judged before they are routed, by sessions and HTTP alike; what is written and started, by the executor
// that decides it (threads/engine/meter.h).
//
// Catching up is never charged: what it takes follows from what happened meanwhile, and not from how the
// client behaves.
//
// Thread contract: any thread.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "accounts/limits/author_limits.h"
#include "accounts/limits/request_limits.h"
#include "features/requests/stored_contacts.h"
#include "gateway/app/config.h"
#include "storage/sealing/sealer.h"
#include "storage/table.h"
#include "threads/engine/executor.h"
#include "threads/engine/meter.h"
#include "threads/model/cursor.h"

namespace parley::gateway {

struct Identity;

// An op by which a client learns what it missed.
bool IsCatchingUp(std::string_view op);

class RateLimits final : public threads::Meter {
 public:
  using LimitsOf = std::function<accounts::EffectiveLimits(const protocol::TenantId&)>;
  // REQUIRES: what it refers to outlives it.
  RateLimits(storage::Sealer sealer, const protocol::Clock& clock, const threads::CursorCodec& cursors,
             const Config& config, LimitsOf limits_of, const features::StoredContacts& contacts,
             protocol::Metrics& metrics);

  accounts::EffectiveLimits Of(const protocol::TenantId& tenant) const { return limits_of_(tenant); }

  // Whom a caller's requests are charged to.
  accounts::Requester RequesterOf(const threads::Caller& caller, std::string_view key_id);
  accounts::Requester RequesterOfTableKey(const protocol::TenantId& tenant, std::string_view key_id);
  // One request of theirs; where it is refused, RateLimited(verdict) is the answer. message.send has limits
  // of its own, and would meet this one first in a quick row: it costs a request only if it fails, which
  // NoteAnswer is told.
  accounts::Verdict Take(const accounts::Requester& requester, const protocol::TenantId& tenant,
                         std::string_view op);
  void NoteAnswer(const accounts::Requester& requester, const protocol::TenantId& tenant, std::string_view op,
                  const threads::Answer& answer);
  // The same for a request over HTTP; nothing where it is not charged. Operators are not.
  struct HttpCharge {
    accounts::Requester requester;
    protocol::TenantId tenant;
    accounts::Verdict verdict;
  };
  std::optional<HttpCharge> Charge(const Identity& identity, std::string_view op);
  // What is to be told of the answer.
  using Done = std::function<void(threads::Answer)>;
  Done Charging(const HttpCharge& charge, std::string_view op, Done done);

  // Whether anything of the kind may be refused.
  bool Charges(const protocol::TenantId& tenant) const;
  // Whether the tenant as a whole has room for one more session.
  bool HasRoom(const accounts::Requester& requester) const;
  // The sum of what one session may ask, and how many refusals it may collect, without having waited, before
  // it is closed.
  accounts::Rate session_rate() const { return session_rate_; }
  static constexpr accounts::Rate kRefusals{1, accounts::kSecondMs, 200};

  // Credentials from this address: whether they are looked at, and how they were bad. A token that has
  // expired is no guess.
  accounts::Verdict MayTry(const std::string& address);
  // Before a check that is dear: it costs so much more if the credential is bad; else it is given back.
  static constexpr int64_t kSignatureCost = 1;     // of a public key
  static constexpr int64_t kPasswordHashCost = 4;  // a slow hash
  accounts::Verdict TakeTry(const std::string& address, int64_t cost);
  void GiveBackTry(const std::string& address, int64_t cost);
  void NoteFailure(const std::string& address, const protocol::Error& why);
  void NoteGuess(const std::string& address);
  // One of a session was refused for its own sum.
  void NoteSessionRefused() { probe_.Refused(accounts::LimitKind::kSession); }

  // What inbox.counts shows of starts; nothing where they are not limited.
  protocol::Result<std::optional<protocol::StartCount>> StartsOf(const storage::Reader& reader,
                                                                 const threads::Caller& caller,
                                                                 protocol::Time now) const;

  // threads::Meter
  protocol::Result<std::unique_ptr<threads::Taken>> Take(const Asker& asker,
                                                         const threads::Charge& charge) override;

 private:
  protocol::Result<accounts::Author> AuthorOf(const storage::Reader& reader, const threads::Caller& caller,
                                              protocol::Time now, bool record_counts) const;
  bool AreStrangers(const Asker& asker, const threads::Caller& caller, const protocol::UserId& other) const;

  const protocol::Clock& clock_;
  const threads::CursorCodec& cursors_;
  const LimitsOf limits_of_;
  const features::StoredContacts& contacts_;
  const storage::Sealer sealer_;
  const accounts::Rate session_rate_;
  const bool tenants_have_sums_;
  accounts::LimitProbe probe_;
  accounts::RequestLimits requests_;
  accounts::AuthorLimits authors_;
};

}  // namespace parley::gateway
