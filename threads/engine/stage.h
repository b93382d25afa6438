// What a command reads and writes through: reads see everything decided so far (disk overlaid with what is
// not yet synced), and what the command decides is staged for the next commit. Each executor has one stage;
// commands run on it one after another.
#pragma once

#include "threads/engine/meter.h"
#include "threads/model/access.h"
#include "threads/model/caller.h"
#include "threads/model/card_kinds.h"
#include "threads/model/decision.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

struct Limits {
  size_t max_body_bytes = 8 * 1024;
  size_t max_tab_bytes = 32 * 1024;
  int64_t edit_window_ms = 15 * 60 * 1000;
  int64_t idle_archive_ms = int64_t{180} * 24 * 3600 * 1000;  // archived when nobody has written for this
                                                              // long
  size_t max_waiting_effects = 1000;                          // OUT# rows of a thread
  int64_t tip_lead_ms = 24 * 3600 * 1000;                     // how long before the meeting the safety tip
                                                              // comes
};

// Tenant settings that commands ask for.
struct TenantPolicy {
  bool user_projects = true;
  CardPorts card_ports = 0;  // what the tenant's back end carries out for cards; other ports are not waited
                             // for
  bool known_users_only = false;      // nobody is brought into a thread of whom there is no record
  protocol::EventKindSet events = 0;  // durable events that its back end asked to be told of
};

class Stage {
 public:
  virtual ~Stage() = default;

  virtual Result<std::optional<ThreadRow>> Thread(const TenantId& tenant, const ThreadId& thread) = 0;
  virtual Result<std::optional<ParticipantRow>> Participant(const TenantId& tenant, const ThreadId& thread,
                                                            const UserId& user) = 0;
  virtual Result<MembersPtr> MembersOf(const TenantId& tenant, const ThreadId& thread) = 0;
  // The answer to a repeat, kept under the first request's clientId.
  virtual Result<std::optional<IdempotencyRow>> Earlier(const TenantId& tenant, const ThreadId& thread,
                                                        const UserId& owner, const ClientId& client) = 0;
  // Whether a safety report is open, in any thread, between the parties of this one.
  virtual Result<bool> PairReported(const TenantId& tenant, const ThreadRow& head) = 0;
  // Whether there is a record of the user, whoever keeps it.
  virtual Result<bool> IsKnown(const TenantId& tenant, const UserId& user) = 0;
  // Other rows, through the overlay.
  virtual RowReader Rows(const TenantId& tenant) = 0;

  // Stages one row of another partition ahead of the decision (a reservation). Committed before it, in order.
  virtual void Reserve(const storage::PartitionKey& partition, const storage::SortKey& sort,
                       std::string payload) = 0;
  // The same, to remove one.
  virtual void Release(const storage::PartitionKey& partition, const storage::SortKey& sort) = 0;

  virtual Moment moment() = 0;
  virtual const Limits& limits() const = 0;
  virtual TenantPolicy policy(const TenantId& tenant) const = 0;

  // What the command costs its author, if there is one: RATE_LIMITED, with the time to wait. Given back if
  // the command is refused after all, or changes nothing; so it is asked for whatever Decide says later.
  virtual protocol::Status Pay(const Charge&) { return protocol::Ok(); }

  // Thread and own row together, checked: the first step of most commands.
  Result<Standing> StandingOf(const Caller& caller, const ThreadId& thread);
};

}  // namespace parley::threads
