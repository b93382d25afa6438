#include "gateway/app/rate_limits.h"

#include "accounts/records/item_fields.h"
#include "accounts/records/records.h"
#include "accounts/users/personal.h"
#include "fanout/shared_threads.h"
#include "gateway/app/authenticator.h"
#include "gateway/net/address.h"
#include "protocol/base/crypto.h"
#include "protocol/base/sure.h"
#include "protocol/ops/all.h"
#include "storage/engine/service_rules.h"
#include "threads/text/reading.h"

namespace parley::gateway {

using accounts::Author;
using protocol::Result;

namespace {

// A demo is as fast as its machine, unless it is asked for limits.
bool IsFree(const Config& config) {
  return config.demo && !config.rate_limits;
}

accounts::RequestLimitSettings RequestLimitsFor(const Config& config) {
  accounts::RequestLimitSettings settings;
  settings.tenant_per_second = IsFree(config) ? 0 : config.tenant_requests_per_second;
  settings.failures_per_minute = IsFree(config) ? 0 : config.failed_credentials_per_minute;
  return settings;
}

constexpr std::string_view kOnTrial = protocol::MessageSend::kName;

class Cost final : public threads::Taken {
 public:
  explicit Cost(std::unique_ptr<accounts::AuthorLimits::Cost> cost) : cost_(std::move(cost)) {}
  std::vector<storage::CommitRequest> Stand() override { return cost_->Stand(); }

 private:
  const std::unique_ptr<accounts::AuthorLimits::Cost> cost_;
};

protocol::Status Add(accounts::AuthorLimits::Charged charged, threads::Charge::Answer* taken) {
  if (!charged.ok()) return std::move(charged.error());
  taken->push_back(std::make_unique<Cost>(std::move(*charged)));
  return protocol::Ok();
}

}  // namespace

bool IsCatchingUp(std::string_view op) {
  return op == protocol::SessionHello::kName || op == protocol::ThreadChanges::kName ||
         op == protocol::ThreadOpen::kName || op == protocol::MessageList::kName;
}

RateLimits::RateLimits(storage::Sealer sealer, const protocol::Clock& clock,
                       const threads::CursorCodec& cursors, const Config& config, LimitsOf limits_of,
                       protocol::Metrics& metrics)
    : clock_(clock),
      cursors_(cursors),
      limits_of_(std::move(limits_of)),
      sealer_(std::move(sealer)),
      session_rate_(accounts::Rate::PerSecond(config.session_requests_per_second)),
      tenants_have_sums_(RequestLimitsFor(config).tenant_per_second > 0),
      probe_(metrics),
      requests_(RequestLimitsFor(config), metrics),
      authors_(metrics) {}

accounts::Requester RateLimits::RequesterOf(const threads::Caller& caller, std::string_view key_id) {
  const int64_t now_ms = clock_.MonotonicMs();
  if (caller.is_service()) return requests_.OfTenantKey(caller.tenant, key_id, now_ms);
  if (!key_id.empty()) return requests_.OfUserKey(caller.tenant, key_id, now_ms);
  return requests_.OfUser(caller.tenant, protocol::Sure(caller.user), now_ms);
}

accounts::Verdict RateLimits::Take(const accounts::Requester& requester, const protocol::TenantId& tenant,
                                   std::string_view op) {
  const int64_t now_ms = clock_.MonotonicMs();
  return op == kOnTrial ? requests_.TakeOnTrial(requester, Of(tenant), now_ms)
                        : requests_.Take(requester, Of(tenant), now_ms);
}

void RateLimits::NoteAnswer(const accounts::Requester& requester, const protocol::TenantId& tenant,
                            std::string_view op, const threads::Answer& answer) {
  if (op == kOnTrial && !answer.ok()) requests_.Fine(requester, Of(tenant), clock_.MonotonicMs());
}

std::optional<RateLimits::HttpCharge> RateLimits::Charge(const Identity& identity, std::string_view op) {
  const protocol::TenantId& tenant = identity.caller.tenant;
  if (identity.is_operator || IsCatchingUp(op) || !Charges(tenant)) return std::nullopt;
  const accounts::Requester requester = RequesterOf(identity.caller, identity.key_id);
  return HttpCharge{requester, tenant, Take(requester, tenant, op)};
}

RateLimits::Done RateLimits::Charging(const HttpCharge& charge, std::string_view op, Done done) {
  if (op != kOnTrial) return done;
  return [this, requester = charge.requester, tenant = charge.tenant,
          done = std::move(done)](threads::Answer answer) {
    NoteAnswer(requester, tenant, kOnTrial, answer);
    done(std::move(answer));
  };
}

bool RateLimits::HasRoom(const accounts::Requester& requester) const {
  return requests_.HasRoom(requester, clock_.MonotonicMs());
}

accounts::Verdict RateLimits::MayTry(const std::string& address) {
  return requests_.MayTry(AddressGroup(address), clock_.MonotonicMs());
}

accounts::Verdict RateLimits::TakeTry(const std::string& address, int64_t cost) {
  return requests_.TakeTry(AddressGroup(address), clock_.MonotonicMs(), cost);
}

void RateLimits::GiveBackTry(const std::string& address, int64_t cost) {
  requests_.GiveBackTry(AddressGroup(address), clock_.MonotonicMs(), cost);
}

void RateLimits::NoteFailure(const std::string& address, const protocol::Error& why) {
  if (why.code == protocol::ErrorCode::kUnauthenticated) NoteGuess(address);
}

void RateLimits::NoteGuess(const std::string& address) {
  requests_.NoteFailure(AddressGroup(address), clock_.MonotonicMs());
}

accounts::Requester RateLimits::RequesterOfTableKey(const protocol::TenantId& tenant,
                                                    std::string_view key_id) {
  return requests_.OfTenantKey(tenant, key_id, clock_.MonotonicMs());
}

bool RateLimits::Charges(const protocol::TenantId& tenant) const {
  return tenants_have_sums_ || Of(tenant).enabled;
}

protocol::Status RateLimits::Take(const threads::CheckInput& input, const threads::Charge& charge,
                                  threads::Charge::Answer* taken) {
  using Kind = threads::Charge::Kind;
  if (charge.kind == Kind::kReach) return protocol::Ok();
  const accounts::EffectiveLimits limits = Of(charge.author.tenant);
  if (!limits.enabled) return protocol::Ok();
  const bool starts = charge.kind != Kind::kSend;
  const accounts::Counter counter{input.reader, input.executor, input.now};
  PARLEY_TRY(author, AuthorOf(input.reader, charge.author, input.now, starts));
  const std::string text = threads::text::ReadingOf(charge.text);
  if (!starts)
    return Add(authors_.Send(counter, clock_.MonotonicMs(), limits, author, charge.peer, text), taken);
  if (charge.kind == Kind::kAdd && !AreStrangers(input, charge.author, *charge.peer)) return protocol::Ok();
  return Add(authors_.Start(counter, clock_.MonotonicMs(), limits, author, text), taken);
}

Result<std::optional<protocol::StartCount>> RateLimits::StartsOf(const storage::Reader& reader,
                                                                 const threads::Caller& caller,
                                                                 protocol::Time now) const {
  if (!caller.user) return std::optional<protocol::StartCount>();
  PARLEY_TRY(author, AuthorOf(reader, caller, now, true));
  PARLEY_TRY(starts, accounts::AuthorLimits::StartsOf(reader, now, Of(caller.tenant), author));
  if (!starts) return std::optional<protocol::StartCount>();
  return std::optional(protocol::StartCount{starts->window_ms, starts->most, starts->used});
}

// The token shows whether its user is a bot; if a service acts on behalf of a user, the record does.
Result<Author> RateLimits::AuthorOf(const storage::Reader& reader, const threads::Caller& caller,
                                    protocol::Time now, bool record_counts) const {
  Author author{
      caller.tenant, protocol::Sure(caller.user), caller.role == threads::Role::kBot, {}, caller.verified};
  if (!record_counts && !caller.is_service()) return author;
  const accounts::RecordReads records(reader, caller.tenant, now, sealer_);
  PARLEY_TRY(record, records.Find("tenants", "TENANT#" + caller.tenant.value.text(),
                                  "USER#" + author.user.value.text()));
  if (!record) return author;
  author.bot |= accounts::TextOf(*record, "role") == "bot";
  author.record_made = accounts::TimeOf(*record, "created_at");
  if (record_counts) {
    PARLEY_TRY(personal, accounts::FindPersonal(records, author.user));
    author.verified |= personal.verified;
  }
  return author;
}

// If the index cannot be read, the two count as strangers, which costs a start.
bool RateLimits::AreStrangers(const threads::CheckInput& input, const threads::Caller& caller,
                              const protocol::UserId& other) const {
  const threads::ReadContext context{input.reader, caller, cursors_, input.now};
  const auto strangers = fanout::AreStrangers(context, other);
  return !strangers.ok() || *strangers;
}

}  // namespace parley::gateway
