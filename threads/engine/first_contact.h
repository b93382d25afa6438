// Who may write to whom first. Two are strangers who share no project, no thread that began without a
// request, and no request that was accepted. What became of each request is kept for the pair (CONTACT#), in
// the partition of the lower of the two ids: a request that waits or was turned away keeps its author from
// making another one, whatever the thread.
//
// Thread contract: on the executor's thread. Each CONTACT# row is written by its own thread's commands.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "threads/engine/transaction.h"

namespace parley::threads {

enum class Acquaintance : uint8_t {
  kKnown,      // they may write
  kStrangers,  // a request has to be made
  kRefused,    // they made one, which was not accepted
};
// How the caller stands to others, as far as starting something with them goes. Staff, and services that act
// for nobody, are no strangers to anybody. What was noted for `thread`, which is about to be made, does not
// count: a crash came between.
using Acquaintances = std::map<UserId, Acquaintance>;
Result<Acquaintances> AcquaintancesOf(Transaction& tx, const Caller& caller, const std::set<UserId>& others,
                                      const std::optional<ThreadId>& thread);

// Returns whether an earlier request of the caller to the other was not accepted. Then answer NotAccepted,
// even if the other blocks the caller too, so that the caller cannot tell a block from a refusal.
Result<bool> WasTurnedAway(Transaction& tx, const Caller& caller, const UserId& other);

// The tenant's switch for an emergency (accounts/tenants/safety_settings.h): FORBIDDEN for whoever is not
// verified.
protocol::Status RequireVerified(Transaction& tx, const Caller& caller);

protocol::Error NotAccepted();
protocol::Error FilterUnmet(Reception reception);

// Stages the pair's row, ahead of the decision in progress.
void WriteContact(Transaction& tx, const TenantId& tenant, const ThreadId& thread, const RequestRow& request);

// A conversation with a stranger that is about to begin, and what it costs its author.
struct FirstContact {
  std::optional<RequestRow> request;  // none: they are welcome without
  int64_t cost = 0;
};
// What they said is kept as far as `reception` asks for it. Staged is what the pair remembers of it, and how
// a request is found by its id.
FirstContact NewContact(Transaction& tx, const Caller& caller, const ThreadId& thread, const UserId& to,
                        const Reception& reception, const std::optional<protocol::Json>& said);

// The caller brings others into a group, or into what is there besides the two parties of an inquiry.
// Strangers among them are asked first, which costs no credits. MSG_GATE_REQUIRED or CONTACT_FILTER_UNMET of
// any of them; TOO_LARGE: more would be asked at once than may be.
Result<std::vector<RequestRow>> AskIn(Transaction& tx, const Caller& caller, const ThreadId& thread,
                                      const std::set<UserId>& others, size_t asked_already);
// Where it leads; nullopt: the user has no such request.
Result<std::optional<ThreadId>> FindRequest(Transaction& tx, const TenantId& tenant, const UserId& to,
                                            const RequestId& request);

}  // namespace parley::threads
