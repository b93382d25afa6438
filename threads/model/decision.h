// A command's decision before anything is written: rows, events, and the answer. Draft builds it so that seqs
// are dense, the last change of every item has its LOG# row, and the head agrees with both.
//
// Thread contract: values; built and read on the executor's thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "protocol/cards.h"
#include "threads/model/change.h"
#include "threads/model/retention.h"
#include "threads/model/rows.h"

namespace parley::threads {

class Transaction;
struct Decision;

// The rest of a command, in a thread that only its decision could determine (thread.create for a pair that
// already has its direct thread). That thread's executor decides it after this decision's reservations are on
// disk, and its answer is the command's. A crash between the two leaves the reservation, which a repeat
// completes.
struct Onward {
  ThreadId thread;
  std::function<protocol::Result<Decision>(Transaction&)> decide;
};

struct Decision {
  std::string reply;  // the ok map
  // Empty if the command changes nothing; then nothing is committed.
  std::vector<storage::RowWrite> writes;
  std::vector<SharedChange> events;
  // For the tenant's back end only, if it subscribed to their kinds.
  std::vector<SubscribedEvent> back_end_events;
  int64_t first_seq = 0;  // the first event's seq; guards the commit: LOG#{first_seq} must be absent
  std::optional<UserId> personal;
  std::vector<UserId> several;     // personal changes of several users; at most ChangeEntry::kSeveralMax
  std::vector<int64_t> uncounted;  // msgNos that become uncounted; see WriteUncounted
  std::optional<ReadReceipt> receipt;
  std::vector<storage::CommitRequest> beside;  // rows of other partitions, in the same commit
  bool reserves_only = false;                  // commits nothing but reservations
  std::optional<Onward> onward;                // only if the decision changes nothing, or only reserves
  // The state after the command, for the executor's cache.
  std::optional<ThreadRow> head;
  std::vector<ParticipantRow> participants;
  bool membership = false;  // a member was added or removed, or the thread is new
  // True: the first safety report of the thread was opened; false: its last one ended (pair_reports.h).
  std::optional<bool> reported;
  bool cases = false;                // a card that is a case was opened or ended (CaseCardsOf)
  std::vector<RequestRow> requests;  // created or changed; both sides of each receive them
  ChangeFlags changed = 0;
  std::vector<protocol::AuditId> acts;  // acts of staff that its rows record; at most ChangeEntry::kActsMax
  protocol::Time at;

  bool changes_something() const { return !writes.empty(); }
};

// A decision that changes nothing.
Decision AnswerOnly(std::string reply);

// The time and the source of ids that a decision uses; it fetches neither itself.
struct Moment {
  protocol::Time now;
  protocol::IdSource* ids;
};

class Draft {
 public:
  // Starts from the thread's present state. For a new thread, `head` is a fresh row with last_seq 0.
  Draft(ThreadRow head, protocol::Time now);

  ThreadRow& head() { return head_; }
  protocol::Time now() const { return now_; }

  // The thread's own fields changed (or it was created): takes a seq and, unless created, raises the version.
  void ThreadChanged(protocol::EventKind kind);
  // Takes a seq for the participant's change and writes the row.
  void ParticipantChanged(ParticipantRow row, protocol::EventKind kind);
  // Writes the row without a seq: a personal change.
  void ParticipantPersonal(ParticipantRow row);
  // Appends a message: fills in ids, times, numbers and seq. Returns it as stored. A restricted message moves
  // no inbox entry and is uncounted.
  protocol::Message AppendMessage(protocol::Message message, const std::string& preview,
                                  protocol::IdSource* ids, const protocol::Omit<UserId>& only_for = {});
  // A plain-text message from the server itself.
  protocol::Message AppendSystem(const std::string& text, protocol::IdSource* ids);
  // Takes a seq for an edit or delete and writes the row.
  protocol::Message MessageChanged(MessageRow row);
  // Takes a seq, raises the versions of the tab and the panel, and writes the row. Returns the tab as stored.
  protocol::Tab TabChanged(TabRow row);
  // Takes a seq for a tab in which only the copies of uploads changed; its version and author stay.
  void TabFollows(TabRow row);
  // Takes a seq for the card and writes the row. Returns it as stored.
  protocol::Card CardChanged(CardRow row);
  // Writes a message whose `action` follows from its card, which has just changed; takes no seq.
  void MessageFollows(const MessageRow& row);
  // Makes the message uncounted. Call once for a message.
  void Uncount(int64_t msg_no);
  // EffectAsked writes the outbox row of an outside effect that the change `seq` requests; EffectDone removes
  // it.
  void EffectAsked(const protocol::OutboxItem& effect, int64_t seq);
  void EffectDone(int64_t seq);
  void Write(storage::SortKey sort, std::string payload);
  void Erase(storage::SortKey sort) { out_.writes.push_back({std::move(sort), std::nullopt}); }
  // Writes or erases a row of another partition in the same commit. Only this command may write such a row.
  void Beside(storage::PartitionKey partition, storage::RowWrite write);
  // Writes the head although only its private part changed; no event reports that.
  void HeadKept() { head_kept_ = true; }
  // Schedules the removal of a row of this kind, after it was written.
  void WillAge(const Round& round);
  // Passes an ACT# or LOOK# row that was written on to the audit chain.
  void ActRecorded(const protocol::AuditId& act) { out_.acts.push_back(act); }
  // Adds an event for the tenant's back end, if it subscribed to its kind. `item` is encoded MessagePack;
  // empty: the thread.
  void NotifyBackEnd(protocol::EventKind kind, int64_t seq, std::string item);
  void NotifyBackEnd(SubscribedEvent event) { out_.back_end_events.push_back(std::move(event)); }
  // Returns the whole decision with the answer. Writes the head unless only personal rows changed; see
  // HeadKept.
  Decision Finish(std::string reply);
  int64_t last_seq() const { return head_.item.last_seq; }

 private:
  // `previous`: the seq of the item's last change before this one; 0: the item is new.
  int64_t TakeSeq(protocol::EventKind kind, const storage::SortKey& sort, std::string item, int64_t previous,
                  const protocol::Omit<UserId>& only_for = {});
  void WriteTab(const TabRow& row, int64_t previous);

  ThreadRow head_;
  const protocol::Time now_;
  Decision out_;
  const bool was_reported_;
  const std::vector<MessageId> cases_before_;
  bool personal_only_ = true;
  bool head_kept_ = false;
};

}  // namespace parley::threads
