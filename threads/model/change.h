// The result of a committed command: ChangeEntry, the part in the change log on disk, lists what to
// recompute; CommittedChange, the part in memory, carries the event bodies for live delivery.
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
#include "threads/model/trace.h"

namespace parley::threads {

// The parts of a thread that changed, as a combination of bits. WARNING: on disk, never renumber.
using ChangeFlags = int64_t;
enum ChangeFlag : ChangeFlags {
  kSharedChange = 1 << 0,  // takes a seq: members' entries changed, and events report it
  kHeadChange = 1 << 1,    // the thread's own fields
  kCardsChange = 1 << 2,   // OUT# rows
  kInboxChange = 1 << 3,   // members' entries changed, and no event reports it
  kTimersChange = 1 << 4,  // the thread's scheduled wakes
};

// An event as it was when it happened, for a tenant's back end that subscribed to its kind. The change log
// carries it because the rows keep only the latest state: a message that is edited at once was also created.
struct SubscribedEvent {
  protocol::EventKind kind = protocol::EventKind::kThreadUpdated;
  int64_t seq = 0;
  protocol::Json item;                   // wire bytes
  protocol::Omit<UserId> only_for = {};  // as in SharedChange
  // The act that it reports, if that takes no seq: message.blocked. For an event about a file: a fresh id.
  protocol::Omit<protocol::AuditId> act = {};
  // The upload that it is about, in place of a seq: file.*.
  protocol::Omit<AttachmentId> file = {};
  static constexpr void Fields(auto& field) {
    using T = SubscribedEvent;
    field("ev", &T::kind, "");
    field("seq", &T::seq, "");
    field("item", &T::item, "");
    field("onlyFor", &T::only_for, "");
    field("act", &T::act, "");
    field("file", &T::file, "");
  }
};

// One entry of the store-wide change log.
struct ChangeEntry {
  TenantId tenant;
  ThreadId thread;
  std::optional<UserId> personal;  // the user whose personal change this is
  ChangeFlags changed = 0;
  static constexpr size_t kSeveralMax = 1024;
  protocol::Omit<protocol::List<UserId, kSeveralMax>> several;  // personal changes of several users
  static constexpr size_t kSubscribedMax = size_t{1} << 20;
  // The events that the tenant's back end subscribed to.
  protocol::Omit<protocol::List<SubscribedEvent, kSubscribedMax>> subscribed;
  protocol::Omit<protocol::Time> at;  // time of the events in `subscribed`
  static constexpr size_t kActsMax = 1024;
  protocol::Omit<protocol::List<protocol::AuditId, kActsMax>> acts;  // acts of staff: ACT# or LOOK# rows
  protocol::Omit<bool> cases;  // true: a card that is a case was opened or ended; left out otherwise
  static constexpr void Fields(auto& field) {
    using T = ChangeEntry;
    field("tenant", &T::tenant, "");
    field("thread", &T::thread, "");
    field("personal", &T::personal, "");
    field("changed", &T::changed, "");
    field("several", &T::several, "");
    field("told", &T::subscribed, "");  // the name on disk
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
  std::optional<UserId> participant = {};  // participant.*: the member
  // The only user who receives it, apart from staff; the others receive its seq alone, to skip it.
  protocol::Omit<UserId> only_for = {};
};

struct ReadReceipt {
  UserId user;
  std::optional<MessageId> message;
  std::optional<protocol::Time> at;
};

// A durable change on its way to the sessions. It contains nothing personal except the receipt, which all
// members see, and restricted events.
struct CommittedChange {
  storage::Position position = 0;
  TenantId tenant;
  ThreadId thread;
  protocol::Time at;
  MembersPtr recipients;  // as of the change; includes a removed member
  std::vector<SharedChange> events;
  std::optional<ReadReceipt> receipt;
  // A member who only learns that the thread changed, because a request to them is open (requests.h).
  std::optional<UserId> gated;
  std::vector<RequestRow> requests;  // created or changed; both sides of each receive them
  // Whether blocks between the two parties apply in the thread from now on; null: unchanged.
  std::optional<bool> blocks_hold;
  // Deliver the entry of the change log at once: it carries events for the tenant's back end, or acts of
  // staff.
  bool prompt = false;
  TracePtr trace = {};
};
using CommittedChangePtr = std::shared_ptr<const CommittedChange>;

// Receives durable changes in commit order, on the executor's thread, after the sync and before the answers.
class ChangeSink {
 public:
  virtual ~ChangeSink() = default;
  virtual void OnCommitted(std::vector<CommittedChangePtr> changes) = 0;
};

}  // namespace parley::threads
