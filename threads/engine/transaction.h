// What a command reads and writes through: reads see everything decided so far (disk overlaid with what is
// not yet synced), and what the command decides is staged for the next commit. Each executor has one
// transaction; commands run on it one after another.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "threads/engine/meter.h"
#include "threads/model/access.h"
#include "threads/model/caller.h"
#include "threads/model/card_kinds.h"
#include "threads/model/decision.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

struct SizeLimits {
  size_t max_body_bytes = 8 * 1024;
  size_t max_tab_bytes = 32 * 1024;
  int64_t edit_window_ms = 15 * 60 * 1000;
  int64_t idle_archive_ms = int64_t{180} * 24 * 3600 * 1000;  // archived when nobody has written for this
                                                              // long
  size_t max_listed_reactors = 100;                           // of one emoji, in the message itself
  size_t max_waiting_effects = 1000;                          // OUT# rows of a thread
  int64_t tip_lead_ms = 24 * 3600 * 1000;                     // how long before the meeting the safety tip
                                                              // comes
};

// What holds between strangers; see first_contact.h.
struct RequestRules {
  bool enabled = false;  // nobody asks before they are written to
  int64_t ttl_ms = 48 * 3600 * 1000;
  int64_t credit_cost = 1;
  int64_t preview_max = 140;  // characters of the first message that are shown before the answer
};

// How somebody receives a stranger, whoever keeps that.
struct Reception {
  bool welcome = false;  // they ask for something of strangers, and it is met: they need not be asked
  std::vector<std::pair<std::string, std::string>> unmet;  // what is not, by name
  std::set<std::string> asked;                             // what they ask to be told, by name
};

// Tenant settings that commands ask for.
struct TenantRules {
  bool user_projects = true;
  CardPorts card_ports = 0;  // what the tenant's back end carries out for cards; other ports are not waited
                             // for
  bool known_users_only = false;      // nobody is brought into a thread of whom there is no record
  bool require_idv = false;           // conversations are started by those only whose identity was verified
  protocol::EventKindSet events = 0;  // durable events that its back end asked to be told of
  RequestRules requests = {};
};

class Transaction {
 public:
  virtual ~Transaction() = default;

  virtual Result<std::optional<ThreadRow>> Thread(const TenantId& tenant, const ThreadId& thread) = 0;
  virtual Result<std::optional<ParticipantRow>> Participant(const TenantId& tenant, const ThreadId& thread,
                                                            const UserId& user) = 0;
  virtual Result<MembersPtr> MembersOf(const TenantId& tenant, const ThreadId& thread) = 0;
  // The answer to a repeat, kept under the first request's clientId.
  virtual Result<std::optional<IdempotencyRow>> Earlier(const TenantId& tenant, const ThreadId& thread,
                                                        const UserId& owner, const ClientId& client) = 0;
  // Whether a safety report is open, in any thread, between the parties of this one.
  virtual Result<bool> PairReported(const TenantId& tenant, const ThreadRow& head) = 0;
  virtual Result<bool> Blocks(const TenantId& tenant, const UserId& by, const UserId& whom) = 0;
  // Whether either of two users blocks the other; of a thread's parties, as far as blocks hold in it.
  Result<bool> AreBlocked(const TenantId& tenant, const UserId& a, const UserId& b);
  virtual Result<bool> PairBlocked(const TenantId& tenant, const ThreadRow& head);
  // What moderators decided about a user. `thread`: where they are about to write.
  virtual Result<Sanction> SanctionOf(const TenantId& tenant, const ThreadId& thread, const UserId& user) = 0;
  // What the tenant's switches leave of messaging in a city; none: in threads without one.
  virtual Messaging MessagingIn(const TenantId&, const std::optional<std::string>& /*city*/) {
    return Messaging::kOpen;
  }
  // Whether there is a record of the user, whoever keeps it.
  virtual Result<bool> IsKnown(const TenantId& tenant, const UserId& user) = 0;
  // Those of `others` who are members of one project with the caller, whoever keeps the index.
  virtual Result<std::set<UserId>> ShareProject(const Caller&, const std::set<UserId>& /*others*/) {
    return std::set<UserId>();
  }
  // How a user receives the caller, who says something of what is named.
  virtual Result<Reception> ReceptionOf(const Caller&, const UserId&, const std::set<std::string>&) {
    return Reception();
  }
  // The credits that the caller has left; nullopt: nothing costs any.
  virtual Result<std::optional<int64_t>> CreditsOf(const Caller&) { return std::optional<int64_t>(); }
  // Other rows, through the overlay.
  virtual RowReader Rows(const TenantId& tenant) = 0;

  // Stages one row of another partition ahead of the decision (a reservation). Committed before it, in order.
  virtual void Reserve(const storage::PartitionKey& partition, const storage::SortKey& sort,
                       std::string payload) = 0;
  // The same, to remove one.
  virtual void Release(const storage::PartitionKey& partition, const storage::SortKey& sort) = 0;

  virtual Moment moment() = 0;
  virtual const SizeLimits& limits() const = 0;
  virtual TenantRules policy(const TenantId& tenant) const = 0;

  // What the command costs its author, if there is one: RATE_LIMITED, with the time to wait. Given back if
  // the command is refused after all, or changes nothing; so it is asked for whatever Decide says later.
  virtual protocol::Status Pay(const Charge&) { return protocol::Ok(); }

  // Clock::Kept: what a repeat is known by is kept for as long as it was promised by this time, too.
  virtual Time Kept() { return moment().now; }

  // Thread and own row together, checked, with what keeps the caller from writing: the first step of most
  // commands.
  Result<Standing> StandingOf(const Caller& caller, const ThreadId& thread);
  // The same of somebody whom a request keeps out, where the command is about just that.
  Result<Standing> StandingAtDoor(const Caller& caller, const ThreadId& thread);
  // What keeps a user from writing wherever they do; `thread` may not be there yet.
  protocol::Status GatherOwn(const Caller& caller, const ThreadId& thread,
                             const std::optional<std::string>& city, Barriers* barriers);
};

}  // namespace parley::threads
