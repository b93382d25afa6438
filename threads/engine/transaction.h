// The transaction of an executor's batch. Its reads see everything decided so far (disk overlaid with what is
// not yet synced), and its writes join the next commit. Commands run on it one after another.
#pragma once

#include <string>

#include "threads/engine/charge.h"
#include "threads/engine/checks.h"
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
  // Without a message for this long, a thread is archived.
  int64_t idle_archive_ms = int64_t{180} * 24 * 3600 * 1000;
  size_t max_listed_reactors = 100;        // listed per emoji in the message itself
  size_t max_waiting_effects = 1000;       // OUT# rows of a thread
  int64_t tip_lead_ms = 24 * 3600 * 1000;  // how long before the meeting the safety tip is posted
};

// The tenant's rules for contact between strangers; see contacts/first_contact.h.
struct RequestRules {
  bool enabled = false;  // false: strangers may write without a request
  int64_t ttl_ms = 48 * 3600 * 1000;
  int64_t credit_cost = 1;
  int64_t preview_max = 140;  // characters of the first message that are shown before the answer
};

// The tenant's settings that commands need.
struct TenantRules {
  bool user_projects = true;
  // The ports that the tenant's back end serves for cards; cards do not wait for other ports.
  CardPorts card_ports = 0;
  bool known_users_only = false;      // users without a record may not be brought into threads
  bool require_idv = false;           // only verified users may start conversations
  protocol::EventKindSet events = 0;  // durable events that its back end subscribed to
  RequestRules requests = {};
};

class Transaction {
 public:
  virtual ~Transaction() = default;

  virtual Result<std::optional<ThreadRow>> Thread(const TenantId& tenant, const ThreadId& thread) = 0;
  virtual Result<std::optional<ParticipantRow>> Participant(const TenantId& tenant, const ThreadId& thread,
                                                            const UserId& user) = 0;
  virtual Result<MembersPtr> MembersOf(const TenantId& tenant, const ThreadId& thread) = 0;
  // The stored answer of the first request with this clientId.
  virtual Result<std::optional<IdempotencyRow>> Earlier(const TenantId& tenant, const ThreadId& thread,
                                                        const UserId& owner, const ClientId& client) = 0;
  // Whether a safety report is open, in any thread, between the parties of this one.
  virtual Result<bool> PairReported(const TenantId& tenant, const ThreadRow& head) = 0;
  // Whether the tenant has a record of the user.
  virtual Result<bool> IsKnown(const TenantId& tenant, const UserId& user) = 0;
  // Asks the features' checks, about a thread in AskIn; see checks.h.
  template <typename Question>
  Result<typename Question::Answer> Ask(const TenantId& tenant, const Question& question) {
    return checks().Ask(CheckInput{Rows(tenant).raw(), tenant, moment().now, nullptr, executor()}, question);
  }
  template <typename Question>
  Result<typename Question::Answer> AskIn(const TenantId& tenant, const ThreadId& thread,
                                          const Question& question) {
    return checks().Ask(
        CheckInput{Rows(tenant).raw(), tenant, moment().now, &MemoriesOf(tenant, thread), executor()},
        question);
  }
  virtual const Checks& checks() const = 0;
  virtual size_t executor() const { return 0; }  // the executor's index
  // The answers that checks keep for a thread, none of them outdated. Valid until the next call.
  virtual CheckMemories& MemoriesOf(const TenantId& tenant, const ThreadId& thread) = 0;
  // Reads other rows, through the overlay.
  virtual RowReader Rows(const TenantId& tenant) = 0;

  // Writes one row of another partition ahead of the decision (a reservation). It is committed first.
  virtual void Reserve(const storage::PartitionKey& partition, const storage::SortKey& sort,
                       std::string payload) = 0;
  // Removes such a row.
  virtual void Release(const storage::PartitionKey& partition, const storage::SortKey& sort) = 0;

  virtual Moment moment() = 0;
  virtual const SizeLimits& limits() const = 0;
  virtual TenantRules policy(const TenantId& tenant) const = 0;

  // Charges the author, if there is one; see charge.h. The charge is given back if the
  // command is rejected later or changes nothing, so commands call it before they decide.
  protocol::Status Pay(const Charge& charge) {
    return charge.author.user ? PayFor(charge.author.tenant, charge) : protocol::Ok();
  }
  // The same for a question of another type with this Answer.
  template <typename Question>
  protocol::Status PayFor(const TenantId& tenant, const Question& question) {
    PARLEY_TRY(taken, Ask(tenant, question));
    Keep(std::move(taken));
    return protocol::Ok();
  }
  virtual void Keep(Charge::Answer) {}

  // Clock::Kept: the stored answers for repeats are kept until this time, too, has passed their expiry.
  virtual Time Kept() { return moment().now; }

  // Reads and checks the thread and the caller's own row, with the barriers to the caller's writes: the first
  // step of most commands.
  Result<Standing> StandingOf(const Caller& caller, const ThreadId& thread);
  // Skips the check for a request that keeps the caller out, for commands that answer the request.
  Result<Standing> StandingAtDoor(const Caller& caller, const ThreadId& thread);
  // The barriers to the caller's writes in every thread of a city; `thread` need not exist yet.
  Result<Barriers> BarriersTo(const Caller& caller, const ThreadId& thread,
                              const std::optional<std::string>& city);
};

}  // namespace parley::threads
