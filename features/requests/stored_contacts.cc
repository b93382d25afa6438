#include "features/requests/stored_contacts.h"

#include <algorithm>

#include "fanout/shared_threads.h"
#include "features/requests/contact_filter.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"

namespace parley::features {

using protocol::Result;

Result<accounts::Personal> StoredContacts::KnownOf(const Asker& asker, const threads::Caller& caller) const {
  PARLEY_TRY(out, accounts::FindPersonal(Records(asker, caller.tenant), protocol::Sure(caller.user)));
  out.verified |= caller.verified;
  out.trusted |= caller.trusted;
  out.age = std::max(out.age, caller.age);
  return std::move(out);
}

Result<std::set<protocol::UserId>> StoredContacts::ShareProject(
    const Asker& asker, const threads::Caller& caller, const std::set<protocol::UserId>& others) const {
  return fanout::WhoShareAProject({asker.reader, caller, cursors_, asker.now}, others);
}

// A stranger is welcome only if they meet the user's own filter: the tenant's filter keeps strangers out and
// admits none.
Result<threads::Reception> StoredContacts::ReceptionOf(const Asker& asker, const threads::Caller& caller,
                                                       const protocol::UserId& other,
                                                       const std::set<std::string>& said) const {
  PARLEY_TRY(own, FindContactFilter(Records(asker, caller.tenant), other));
  const ContactFilter filter = own.empty() ? Of(caller.tenant).contact_filter : own;
  threads::Reception out;
  if (filter.empty()) return out;
  PARLEY_TRY(known, KnownOf(asker, caller));
  out.unmet = UnmetBy(filter, {known.verified, known.age, said});
  out.welcome = out.unmet.empty() && !own.empty();
  out.asked = {filter.fields.begin(), filter.fields.end()};
  return out;
}

Result<CreditStanding> StoredContacts::StandingOf(const Asker& asker, const threads::Caller& caller) const {
  PARLEY_TRY(known, KnownOf(asker, caller));
  return CreditStanding{known.verified, known.trusted, known.credits_frozen, known.credits_cap};
}

Result<std::optional<int64_t>> StoredContacts::CreditsOf(const Asker& asker,
                                                         const threads::Caller& caller) const {
  PARLEY_TRY(count, CountOf(asker, caller));
  return count ? std::optional(count->available) : std::nullopt;
}

Result<storage::CommitRequest> StoredContacts::Spend(const Asker& asker, const threads::Caller& caller,
                                                     int64_t cost) const {
  PARLEY_TRY(standing, StandingOf(asker, caller));
  return SpendCredits(asker.reader, caller.tenant, protocol::Sure(caller.user), asker.now, cost,
                      Of(caller.tenant), standing);
}

protocol::Status StoredContacts::RequireNotFrozen(const Asker& asker, const threads::Caller& caller) const {
  PARLEY_TRY(standing, StandingOf(asker, caller));
  if (!IsFrozen(Of(caller.tenant), standing)) return protocol::Ok();
  return ErrorFor(protocol::Reason::kCreditsFrozen, "credits are frozen");
}

Result<std::optional<protocol::CreditCount>> StoredContacts::CountOf(const Asker& asker,
                                                                     const threads::Caller& caller) const {
  const MessageRequests requests = Of(caller.tenant);
  if (!requests.enabled || !caller.user) return std::optional<protocol::CreditCount>();
  PARLEY_TRY(standing, StandingOf(asker, caller));
  PARLEY_TRY(row, ReadCredits(asker.reader, caller.tenant, *caller.user, asker.now));
  return std::optional(protocol::CreditCount{AvailableOf(requests, standing, row), requests.credit_cost, 0});
}

}  // namespace parley::features
