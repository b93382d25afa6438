// Decides whether a user may write to another first. Two users are strangers if they share no project, no
// thread that began without a request, and no accepted request. The state of each request is stored for the
// pair (CONTACT#), in the partition of the lower of the two ids: while a request is pending, and after it was
// rejected, its author cannot make another one in any thread.
//
// Thread contract: on the executor's thread. Each CONTACT# row is written by its own thread's commands.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "threads/contacts/questions.h"
#include "threads/engine/transaction.h"

namespace parley::threads {

enum class Acquaintance : uint8_t {
  kKnown,      // they may write
  kStrangers,  // a request is needed
  kRefused,    // a request of the caller was not accepted
};
// The caller's acquaintance with each of the others, for starting a thread with them. Staff, and services
// that act for no user, know everyone. A CONTACT# row of `thread`, which is about to be created, does not
// count: a crash left it.
using Acquaintances = std::map<UserId, Acquaintance>;
Result<Acquaintances> AcquaintancesOf(Transaction& tx, const Caller& caller, const std::set<UserId>& others,
                                      const std::optional<ThreadId>& thread);

// Whether one of two users blocks the other.
Result<bool> AreBlocked(Transaction& tx, const TenantId& tenant, const UserId& a, const UserId& b);

// Whether an earlier request of the caller to the other was not accepted. Then answer NotAccepted, even if
// the other blocks the caller too, so that the caller cannot tell a block from a rejection.
Result<bool> WasTurnedAway(Transaction& tx, const Caller& caller, const UserId& other);

// FORBIDDEN for unverified callers while the tenant's emergency switch is on
// (accounts/tenants/safety_settings.h).
protocol::Status RequireVerified(Transaction& tx, const Caller& caller);

protocol::Error NotAccepted();
protocol::Error FilterUnmet(Reception reception);

// Writes the pair's row, ahead of the decision in progress.
void WriteContact(Transaction& tx, const TenantId& tenant, const ThreadId& thread, const RequestRow& request);

// The contact with a stranger that a new conversation makes, and its cost to the author.
struct FirstContact {
  std::optional<RequestRow> request;  // null: the filter lets the caller in without a request
  int64_t cost = 0;
};
// Creates the contact and reserves its rows: the pair's CONTACT#, and the request's id. Keeps only the part
// of `said` that `reception` asks for.
FirstContact NewContact(Transaction& tx, const Caller& caller, const ThreadId& thread, const UserId& to,
                        const Reception& reception, const std::optional<protocol::Json>& said);

// Asks the strangers among the users whom the caller brings into a group, or into an inquiry besides its
// parties; this costs no credits. Returns MSG_GATE_REQUIRED or CONTACT_FILTER_UNMET if one of them cannot be
// asked, TOO_LARGE if too many would be asked at once.
Result<std::vector<RequestRow>> AskIn(Transaction& tx, const Caller& caller, const ThreadId& thread,
                                      const std::set<UserId>& others, size_t asked_already);
// The thread of the request; nullopt if the user has no such request.
Result<std::optional<ThreadId>> FindRequest(Transaction& tx, const TenantId& tenant, const UserId& to,
                                            const RequestId& request);

}  // namespace parley::threads
