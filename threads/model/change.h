// What a command changed: the part that travels in the change log (ChangeEntry, on disk, says what to
// recompute) and the part that stays in memory for live delivery (CommittedChange, holds the event bodies).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/frame.h"
#include "storage/table.h"
#include "threads/model/keys.h"
#include "threads/model/members.h"
#include "threads/model/rows.h"

namespace parley::threads {

// What changed in a thread: bits, in any combination. WARNING: on disk, never renumber.
using ChangeFlags = int64_t;
enum ChangeFlag : ChangeFlags {
  kSharedChange = 1 << 0,  // something that takes a seq: members' entries changed, and events tell them
  kHeadChange = 1 << 1,    // the thread's own fields
  kCardsChange = 1 << 2,   // OUT# rows
  kInboxChange = 1 << 3,   // members' entries changed, and no event tells them
  kTimersChange = 1 << 4,  // the thread's wakes
};

// A durable event as it was when it happened: what a tenant's back end asked to be told of. It is in the
// change log because the rows tell the latest state only: a message that is edited at once was created, too.
struct ToldEvent {
  protocol::EventKind kind = protocol::EventKind::kThreadUpdated;
  int64_t seq = 0;
  protocol::Json item;                   // wire bytes
  protocol::Omit<UserId> only_for = {};  // as of SharedChange
  // The act that it tells of, where it takes no seq: message.blocked.
  protocol::Omit<protocol::AuditId> act = {};
  static constexpr void Fields(auto& field) {
    using T = ToldEvent;
    field("ev", &T::kind, "");
    field("seq", &T::seq, "");
    field("item", &T::item, "");
    field("onlyFor", &T::only_for, "");
    field("act", &T::act, "");
  }
};

// One entry of the store-wide change log.
struct ChangeEntry {
  TenantId tenant;
  ThreadId thread;
  std::optional<UserId> personal;  // a personal change: whose
  ChangeFlags changed = 0;
  static constexpr size_t kSeveralMax = 1024;
  protocol::Omit<protocol::List<UserId, kSeveralMax>> several;  // personal changes of several users
  static constexpr size_t kToldMax = size_t{1} << 20;
  protocol::Omit<protocol::List<ToldEvent, kToldMax>> told;  // of the events, what the tenant asked for
  protocol::Omit<protocol::Time> at;                         // with `told`: when they happened
  static constexpr size_t kActsMax = 1024;
  protocol::Omit<protocol::List<protocol::AuditId, kActsMax>> acts;  // of staff: ACT# or LOOK# rows
  protocol::Omit<bool> cases;  // true: a card that is a case was opened or has ended; else left out
  static constexpr void Fields(auto& field) {
    using T = ChangeEntry;
    field("tenant", &T::tenant, "");
    field("thread", &T::thread, "");
    field("personal", &T::personal, "");
    field("changed", &T::changed, "");
    field("several", &T::several, "");
    field("told", &T::told, "");
    field("at", &T::at, "");
    field("acts", &T::acts, "");
    field("cases", &T::cases, "");
  }
};
std::string EncodeChangeEntry(const ChangeEntry& entry);
bool DecodeChangeEntry(std::string_view bytes, ChangeEntry* out);

struct SharedChange {
  protocol::EventKind kind = protocol::EventKind::kThreadUpdated;
  int64_t seq = 0;
  std::string item;                        // wire bytes
  std::optional<UserId> participant = {};  // participant.*: who
  protocol::Omit<UserId> only_for = {};  // who hears of it, apart from staff; the others are told to skip its
                                         // seq
};

struct ReadReceipt {
  UserId user;
  std::optional<MessageId> message;
  std::optional<protocol::Time> at;
};

// A durable change on its way to the sessions. Contains nothing personal except the receipt, which all
// members see, and events that are not for everybody.
struct CommittedChange {
  storage::Position position = 0;
  TenantId tenant;
  ThreadId thread;
  protocol::Time at;
  MembersPtr recipients;  // as of the change; includes a removed member
  std::vector<SharedChange> events;
  std::optional<ReadReceipt> receipt;
  // A member who hears only that something happened: a request of theirs is open (requests.h).
  std::optional<UserId> gated;
  std::vector<RequestRow> requests;  // that were made or changed: both sides of each are told
  // Whether blocks between the two parties hold in the thread from now on; none: as before.
  std::optional<bool> blocks_hold;
  // Somebody waits for what follows from its entry in the change log: it says what a tenant's back end asked
  // to be told of, or what staff did.
  bool prompt = false;
};
using CommittedChangePtr = std::shared_ptr<const CommittedChange>;

// Where durable changes go, in commit order. Called on the executor's thread, after the sync, before the
// answers.
class ChangeSink {
 public:
  virtual ~ChangeSink() = default;
  virtual void OnCommitted(std::vector<CommittedChangePtr> changes) = 0;
};

}  // namespace parley::threads
