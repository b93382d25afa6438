// Enforces the tenants' rate limits (accounts/limits/) on requests and on writes. Requests of sessions and of
// HTTP are judged before they are routed; sends and starts are judged by the executor that decides them
// (threads/engine/charge.h).
//
// Catching up is never charged, because its cost follows from the changes missed and not from the client's
// behaviour.
//
// Thread contract: any thread.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "accounts/limits/author_limits.h"
#include "accounts/limits/request_limits.h"
#include "features/host/identity.h"
#include "gateway/app/config.h"
#include "storage/sealing/sealer.h"
#include "storage/table.h"
#include "threads/engine/charge.h"
#include "threads/engine/executor.h"
#include "threads/model/cursor.h"

namespace parley::gateway {

using features::Identity;

// Whether a client catches up by this op.
bool IsCatchingUp(std::string_view op);

class RateLimits {
 public:
  using LimitsOf = std::function<accounts::EffectiveLimits(const protocol::TenantId&)>;
  // REQUIRES: the references outlive it.
  RateLimits(storage::Sealer sealer, const protocol::Clock& clock, const threads::CursorCodec& cursors,
             const Config& config, LimitsOf limits_of, protocol::Metrics& metrics);

  accounts::EffectiveLimits Of(const protocol::TenantId& tenant) const { return limits_of_(tenant); }

  // The account to which a caller's requests are charged.
  accounts::Requester RequesterOf(const threads::Caller& caller, std::string_view key_id);
  accounts::Requester RequesterOfTableKey(const protocol::TenantId& tenant, std::string_view key_id);
  // Charges one request; if the verdict rejects it, answer RateLimited(verdict). message.send has limits of
  // its own, and a fast sender would meet this one first, so it costs a request only if it fails
  // (NoteAnswer).
  accounts::Verdict Take(const accounts::Requester& requester, const protocol::TenantId& tenant,
                         std::string_view op);
  void NoteAnswer(const accounts::Requester& requester, const protocol::TenantId& tenant, std::string_view op,
                  const threads::Answer& answer);
  // The same for a request over HTTP; nullopt if it is not charged, as for operators.
  struct HttpCharge {
    accounts::Requester requester;
    protocol::TenantId tenant;
    accounts::Verdict verdict;
  };
  std::optional<HttpCharge> Charge(const Identity& identity, std::string_view op);
  // Wraps `done` so that it reports the answer to NoteAnswer.
  using Done = std::function<void(threads::Answer)>;
  Done Charging(const HttpCharge& charge, std::string_view op, Done done);

  // Whether any request of the tenant can be rejected for its rate.
  bool Charges(const protocol::TenantId& tenant) const;
  // Whether the tenant as a whole has room for one more session.
  bool HasRoom(const accounts::Requester& requester) const;
  // The rate of one session's requests, and of the rejections after which it is closed.
  accounts::Rate session_rate() const { return session_rate_; }
  static constexpr accounts::Rate kRefusals{1, accounts::kSecondMs, 200};

  // Whether credentials from this address are checked at all, and how failures count against it. An expired
  // token is not a guess.
  accounts::Verdict MayTry(const std::string& address);
  // Charges an expensive check in advance; the charge is returned if the credential proves good.
  static constexpr int64_t kSignatureCost = 1;     // by a public key
  static constexpr int64_t kPasswordHashCost = 4;  // a slow hash
  accounts::Verdict TakeTry(const std::string& address, int64_t cost);
  void GiveBackTry(const std::string& address, int64_t cost);
  void NoteFailure(const std::string& address, const protocol::Error& why);
  void NoteGuess(const std::string& address);
  // Counts a request that was rejected for the session's own rate.
  void NoteSessionRefused() { probe_.Refused(accounts::LimitKind::kSession); }

  // The count of starts that inbox.counts reports; nullopt if starts are not limited.
  protocol::Result<std::optional<protocol::StartCount>> StartsOf(const storage::Reader& reader,
                                                                 const threads::Caller& caller,
                                                                 protocol::Time now) const;

  // The check of sends and starts, with RATE_LIMITED; on any executor's thread.
  protocol::Status Take(const threads::CheckInput& input, const threads::Charge& charge,
                        threads::Charge::Answer* taken);

 private:
  protocol::Result<accounts::Author> AuthorOf(const storage::Reader& reader, const threads::Caller& caller,
                                              protocol::Time now, bool record_counts) const;
  bool AreStrangers(const threads::CheckInput& input, const threads::Caller& caller,
                    const protocol::UserId& other) const;

  const protocol::Clock& clock_;
  const threads::CursorCodec& cursors_;
  const LimitsOf limits_of_;
  const storage::Sealer sealer_;
  const accounts::Rate session_rate_;
  const bool tenants_have_sums_;
  accounts::LimitProbe probe_;
  accounts::RequestLimits requests_;
  accounts::AuthorLimits authors_;
};

}  // namespace parley::gateway
