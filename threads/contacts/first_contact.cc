#include "threads/contacts/first_contact.h"

#include <algorithm>

#include "protocol/base/reason.h"
#include "protocol/writer.h"
#include "threads/model/requests.h"

namespace parley::threads {
namespace {

constexpr size_t kContactsRead = 1000;  // for one pair

using protocol::RequestState;

struct ContactPlace {
  storage::PartitionKey partition;
  UserId higher;
};
ContactPlace ContactPlaceOf(const TenantId& tenant, const UserId& a, const UserId& b) {
  return {UserPartition(tenant, std::min(a, b)), std::max(a, b)};
}

// The author of a request is no stranger to its receiver, whatever the answer.
std::optional<Acquaintance> By(const ContactRow& contact, const UserId& caller, Time now) {
  if (contact.state == RequestState::kAccepted || contact.from != caller) return Acquaintance::kKnown;
  if (contact.state == RequestState::kExpired) return std::nullopt;
  if (contact.state == RequestState::kPending && contact.expires_at <= now) return std::nullopt;
  return Acquaintance::kRefused;
}

Result<std::optional<Acquaintance>> ByContacts(Transaction& tx, const Caller& caller, const UserId& other,
                                               const std::optional<ThreadId>& thread) {
  const ContactPlace place = ContactPlaceOf(caller.tenant, *caller.user, other);
  const Time now = tx.moment().now;
  std::optional<Acquaintance> found;
  bool sound = true;
  const auto look = [&](std::string_view sort, storage::RowView row) {
    UserId higher;
    ThreadId of;
    ContactRow contact;
    sound = ParseContactKey(sort, &higher, &of) && DecodeStored(row.payload, &contact);
    if (!sound) return false;
    const auto one = of == thread ? std::nullopt : By(contact, *caller.user, now);
    if (one && found != Acquaintance::kKnown) found = one;
    return found != Acquaintance::kKnown;
  };
  const auto status = tx.Rows(caller.tenant)
                          .raw()
                          .Scan(place.partition, ContactsWith(place.higher), storage::Direction::kReverse,
                                kContactsRead, look);
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
  return found;
}

// Whether the pair has a direct thread that began without a request, and so knew each other.
Result<bool> HaveDirect(Transaction& tx, const Caller& caller, const UserId& other) {
  const ContactPlace place = ContactPlaceOf(caller.tenant, *caller.user, other);
  PARLEY_TRY(direct, tx.Rows(caller.tenant).Reservation(place.partition, DirectKey(place.higher)));
  if (!direct) return false;
  PARLEY_TRY(head, tx.Thread(caller.tenant, direct->thread));
  return head && !head->hidden.request.value;
}

// Keeps only the fields that the receiver asks for.
protocol::Omit<protocol::Json> AskedFor(const std::optional<protocol::Json>& said,
                                        const std::set<std::string>& asked) {
  protocol::Omit<protocol::Json> out;
  protocol::Document document;
  if (!said || !DecodeStored(said->msgpack, &document) || !document.root.as_map()) return out;
  protocol::Writer kept;
  size_t count = 0;
  for (const auto& [name, value] : *document.root.as_map()) {
    if (!asked.contains(std::string(name))) continue;
    kept.Text(name);
    kept.Put(value);
    ++count;
  }
  if (count == 0) return out;
  protocol::Writer map;
  map.BeginMap(count);
  map.Raw(kept.bytes());
  out.value = protocol::Json{map.Take()};
  return out;
}

}  // namespace

protocol::Status RequireVerified(Transaction& tx, const Caller& caller) {
  const bool may = !caller.user || caller.verified || caller.is_staff() || caller.is_service();
  if (may || !tx.policy(caller.tenant).require_idv) return protocol::Ok();
  Error error = ErrorFor(protocol::Reason::kNotVerified, "only verified users may start conversations");
  error.fields.emplace_back("idVerified", "is required");
  return error;
}

protocol::Error NotAccepted() {
  return ErrorFor(protocol::Reason::kNotAccepted, "an earlier message request was not accepted");
}

Result<Acquaintances> AcquaintancesOf(Transaction& tx, const Caller& caller, const std::set<UserId>& others,
                                      const std::optional<ThreadId>& thread) {
  Acquaintances out;
  for (const UserId& other : others) out[other] = Acquaintance::kKnown;
  if (!tx.policy(caller.tenant).requests.enabled || !caller.user || caller.is_staff()) return out;
  std::set<UserId> unknown;
  for (auto& [other, acquaintance] : out) {
    if (other == *caller.user) continue;
    PARLEY_TRY(by_contacts, ByContacts(tx, caller, other, thread));
    if (by_contacts == Acquaintance::kKnown) continue;
    PARLEY_TRY(direct, HaveDirect(tx, caller, other));
    if (direct) continue;
    acquaintance = by_contacts.value_or(Acquaintance::kStrangers);
    unknown.insert(other);
  }
  if (unknown.empty()) return out;
  PARLEY_TRY(shared, tx.Ask(caller.tenant, SharedProjects{caller, unknown}));
  for (const UserId& other : shared) out[other] = Acquaintance::kKnown;
  return out;
}

Result<bool> AreBlocked(Transaction& tx, const TenantId& tenant, const UserId& a, const UserId& b) {
  if (a == b) return false;
  PARLEY_TRY(one, tx.Ask(tenant, Blocking{a, b}));
  if (one) return true;
  return tx.Ask(tenant, Blocking{b, a});
}

// Cheap unless a request exists, since it runs before the caller is charged. False if the caller blocks the
// other.
Result<bool> WasTurnedAway(Transaction& tx, const Caller& caller, const UserId& other) {
  if (!tx.policy(caller.tenant).requests.enabled || !caller.user || other == *caller.user) return false;
  PARLEY_TRY(by_contacts, ByContacts(tx, caller, other, std::nullopt));
  if (by_contacts != Acquaintance::kRefused) return false;
  PARLEY_TRY(blocks, tx.Ask(caller.tenant, Blocking{*caller.user, other}));
  if (blocks) return false;
  PARLEY_TRY(acquaintances, AcquaintancesOf(tx, caller, {other}, std::nullopt));
  return acquaintances.at(other) == Acquaintance::kRefused;
}

protocol::Error FilterUnmet(Reception reception) {
  Error error(ErrorCode::kContactFilterUnmet, "the other asks strangers for more");
  error.fields = std::move(reception.unmet);
  return error;
}

void WriteContact(Transaction& tx, const TenantId& tenant, const ThreadId& thread,
                  const RequestRow& request) {
  const ContactPlace place = ContactPlaceOf(tenant, request.from, request.to);
  const ContactRow row{request.from, request.state, request.expires_at};
  tx.Reserve(place.partition, ContactKey(place.higher, thread), protocol::Encode(row));
}

FirstContact NewContact(Transaction& tx, const Caller& caller, const ThreadId& thread, const UserId& to,
                        const Reception& reception, const std::optional<protocol::Json>& said) {
  const RequestRules policy = tx.policy(caller.tenant).requests;
  const Moment moment = tx.moment();
  RequestRow request;
  request.request_id = RequestId{moment.ids->Make(moment.now)};
  request.from = *caller.user;
  request.to = to;
  request.state = reception.welcome ? RequestState::kAccepted : RequestState::kPending;
  request.created_at = moment.now;
  request.expires_at = Time{moment.now.ms + policy.ttl_ms};
  request.credit_cost = policy.credit_cost;
  request.preview_max = policy.preview_max;
  request.contact = AskedFor(said, reception.asked);
  WriteContact(tx, caller.tenant, thread, request);
  if (reception.welcome) return {std::nullopt, policy.credit_cost};
  tx.Reserve(UserPartition(caller.tenant, to), RequestKey(request.request_id),
             EncodeReservation({thread, std::string(kDigestSize, '\0')}));
  return {std::move(request), policy.credit_cost};
}

Result<std::vector<RequestRow>> AskIn(Transaction& tx, const Caller& caller, const ThreadId& thread,
                                      const std::set<UserId>& others, size_t asked_already) {
  std::vector<RequestRow> out;
  PARLEY_TRY(acquaintances, AcquaintancesOf(tx, caller, others, std::nullopt));
  for (const auto& [other, acquaintance] : acquaintances) {
    if (acquaintance == Acquaintance::kKnown) continue;
    if (acquaintance == Acquaintance::kRefused) return NotAccepted();
    if (asked_already + out.size() == kMaxInvited)
      return ErrorFor(protocol::Reason::kTooManyStrangers,
                      "more strangers would be asked at once than may be");
    PARLEY_TRY(reception, tx.Ask(caller.tenant, ReceptionBy{caller, other}));
    if (!reception.unmet.empty()) return FilterUnmet(std::move(reception));
    FirstContact contact = NewContact(tx, caller, thread, other, reception, {});
    if (!contact.request) continue;
    contact.request->credit_cost = 0;
    out.push_back(*std::move(contact.request));
  }
  return out;
}

Result<std::optional<ThreadId>> FindRequest(Transaction& tx, const TenantId& tenant, const UserId& to,
                                            const RequestId& request) {
  PARLEY_TRY(found, tx.Rows(tenant).Reservation(UserPartition(tenant, to), RequestKey(request)));
  return found ? std::optional(found->thread) : std::nullopt;
}

}  // namespace parley::threads
