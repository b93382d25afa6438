// Rows of a thread's partition: the wire item as a client sees it, and beside it what only the server needs.
// The wire bytes are stored as they are sent, so pages and events splice them without decoding.
//
//   item row payload = varint seq | varint born_seq | varint size | wire item | private map
//
// Both maps are MessagePack.
//
// `seq` is the item's last shared change, `born_seq` the change that created it: catch-up reads both without
// decoding.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/frame.h"
#include "protocol/items.h"
#include "protocol/ops/blocks.h"
#include "storage/table.h"
#include "threads/model/keys.h"

namespace parley::threads {

using protocol::KeyText;
using protocol::Time;

// Rows are our own bytes: bounded by what was written, which is larger than the frame that it came in (an
// item wraps what it was given), not by what a client may send.
inline constexpr protocol::DecodeLimits kRowLimits{size_t{64} << 20, 64, size_t{1} << 20};
// Exactly one value with nothing after it, so a truncated row never passes for a complete one.
[[nodiscard]] bool DecodeStored(std::string_view msgpack, protocol::Document* out);
template <class T>
[[nodiscard]] bool DecodeStored(std::string_view msgpack, T* out) {
  protocol::Document document;
  return DecodeStored(msgpack, &document) && protocol::Bind(document.root, out).ok();
}

struct ItemView {
  int64_t seq = 0;
  int64_t born_seq = 0;
  std::string_view wire;
  std::string_view hidden;
};
bool ParseItem(std::string_view payload, ItemView* out);

// A card that waits for somebody, as the head of its thread remembers it: enough for the rules across cards,
// for the number in the inbox, and for the deadline, without reading the cards.
struct OpenCard {
  MessageId message_id;
  protocol::CardWord type;
  protocol::CardWord state;
  UserId created_by;
  std::optional<Time> due;  // when it lapses; null while it waits for an outside effect
  bool awaiting = false;
  protocol::Omit<UserId> only_for;  // as in its card
  // Which booking it is about; left out: the thread's own, or all its legs if it has several.
  protocol::Omit<protocol::Text<64>> booking;
  protocol::Omit<bool> of_case;  // true, or left out: a case opened it, as in its card
  static constexpr void Fields(auto& field) {
    using T = OpenCard;
    field("messageId", &T::message_id, "");
    field("type", &T::type, "");
    field("state", &T::state, "");
    field("createdBy", &T::created_by, "");
    field("due", &T::due, "");
    field("awaiting", &T::awaiting, "");
    field("onlyFor", &T::only_for, "");
    field("booking", &T::booking, "");
    field("ofCase", &T::of_case, "");
  }
};
inline constexpr size_t kMaxOpenCards = 50;       // of one thread
inline constexpr size_t kReservedOpenCards = 10;  // in addition, for disputes and safety reports only
using OpenCardList = protocol::List<OpenCard, kMaxOpenCards + kReservedOpenCards>;

// By a case, a staff member who is bound to cases may look into its thread for a while.
struct CaseAccess {
  UserId user;
  protocol::Text<64> case_id;
  Time until;
  protocol::Omit<bool> escalated;  // true, or left out: what they need not see is masked
  static constexpr void Fields(auto& field) {
    using T = CaseAccess;
    field("user", &T::user, "");
    field("caseId", &T::case_id, "");
    field("until", &T::until, "");
    field("escalated", &T::escalated, "");
  }
};
inline constexpr size_t kMaxCaseAccess = 32;  // of one thread
// A message request: who was written to by a stranger, and whether they let them. It gates `to`, who is a
// member and yet sees nothing of the thread before they accept (requests.h).
struct RequestRow {
  RequestId request_id;
  UserId from, to;
  protocol::RequestState state = protocol::RequestState::kPending;
  Time created_at;
  Time expires_at;
  int64_t credit_cost = 0;
  int64_t preview_max = 0;  // how many characters of its message `to` is shown while it is pending
  protocol::Omit<protocol::Json> contact;  // what was said of what `to` asks for
  static constexpr void Fields(auto& field) {
    using T = RequestRow;
    field("requestId", &T::request_id, "");
    field("from", &T::from, "");
    field("to", &T::to, "");
    field("state", &T::state, "");
    field("createdAt", &T::created_at, "");
    field("expiresAt", &T::expires_at, "");
    field("creditCost", &T::credit_cost, "");
    field("previewMax", &T::preview_max, "");
    field("contact", &T::contact, "");
  }
};

inline constexpr size_t kMaxInvited = 20;  // of one group, at once
using RequestList = protocol::List<RequestRow, kMaxInvited>;

struct ThreadRow {
  protocol::Thread item;
  int64_t born_seq = 1;
  struct Private {
    std::optional<UserId> creator;  // null: a service
    std::optional<std::string> role;
    std::optional<protocol::LastMessage> last_message;
    protocol::Omit<int64_t> preview_rule;  // kPreviewRule of its preview; left out: made by an older program
    int64_t deleted_count = 0;             // number of uncounted messages: usually 0
    // When the clock has something to do here; each has its row in the index of wakes.
    protocol::Omit<Time> idle_due_at;  // check whether anybody has written; null: archived already
    // When to look for rows that were kept long enough (retention.h): answers kept for repeats, texts from
    // before edits, outside events, and LOG# rows, which are gone up to `log_swept`. Null: none wait.
    protocol::Omit<Time> forget_due_at, history_due_at, events_due_at, log_due_at;
    protocol::Omit<int64_t> log_swept;
    protocol::Omit<Time> tip_due_at;          // the safety tip before a first meeting; null: none, or posted
    protocol::Omit<bool> tip_posted;          // once per thread
    protocol::Omit<OpenCardList> open_cards;  // in order of creation; left out while there are none
    // The newest message of all, and the msgNo of the newest that all members see; left out where both are
    // `lastMessage`. A message that only some members see is not news to the others: it neither moves nor
    // wakes their entries.
    protocol::Omit<MessageId> newest_message;
    protocol::Omit<int64_t> shared_msg_no;
    // Events that members may be snoozed until: the last seq that changed a card (except safety reports,
    // which not all members know of), and the thread's status, kind or binding.
    protocol::Omit<int64_t> card_seq;
    protocol::Omit<int64_t> status_seq;
    // From this seq on, LOG# has a row for the last change of each item only; null: for every change, as
    // earlier versions wrote it.
    protocol::Omit<int64_t> lean_from;
    // Of the last change of the status, for staff; locked_at is null while the thread is open.
    protocol::Omit<Time> locked_at;
    protocol::Omit<protocol::Text<1000>> status_reason;
    protocol::Omit<UserId> status_by;
    // The member up to whom archiving an idle thread has got; null: it is not under way.
    protocol::Omit<UserId> idle_after;
    // Of a project's booking, where the back end said so; null: live if the project is bound to one.
    protocol::Omit<protocol::BookingState> booking;
    protocol::Omit<protocol::List<CaseAccess, kMaxCaseAccess>> case_access;  // left out while there is none
    protocol::Omit<RequestRow> request;  // left out: the two knew each other
    protocol::Omit<int64_t> start_cost;  // what its start cost the creator, in credits; left out: nothing
    // Strangers who are asked to come into the group, in order of creation; left out while there are none.
    protocol::Omit<RequestList> invited;
    // A project that a user made and no service has bound to a booking since: its members are strangers as
    // before.
    protocol::Omit<bool> unbound;
    static constexpr void Fields(auto& field) {
      using T = Private;
      field("creator", &T::creator, "");
      field("role", &T::role, "");
      field("lastMessage", &T::last_message, "");
      field("previewRule", &T::preview_rule, "");
      field("deletedCount", &T::deleted_count, "");
      field("idleDueAt", &T::idle_due_at, "");
      field("forgetDueAt", &T::forget_due_at, "");
      field("historyDueAt", &T::history_due_at, "");
      field("eventsDueAt", &T::events_due_at, "");
      field("logDueAt", &T::log_due_at, "");
      field("logSwept", &T::log_swept, "");
      field("tipDueAt", &T::tip_due_at, "");
      field("tipPosted", &T::tip_posted, "");
      field("openCards", &T::open_cards, "");
      field("newestMessage", &T::newest_message, "");
      field("sharedMsgNo", &T::shared_msg_no, "");
      field("cardSeq", &T::card_seq, "");
      field("statusSeq", &T::status_seq, "");
      field("leanFrom", &T::lean_from, "");
      field("idleAfter", &T::idle_after, "");
      field("booking", &T::booking, "");
      field("request", &T::request, "");
      field("startCost", &T::start_cost, "");
      field("invited", &T::invited, "");
      field("unbound", &T::unbound, "");
      field("lockedAt", &T::locked_at, "");
      field("statusReason", &T::status_reason, "");
      field("statusBy", &T::status_by, "");
      field("caseAccess", &T::case_access, "");
    }
  } hidden;
  // How often the row was written, as the store counts, which shows that no other writer came between. 0: not
  // stored yet.
  uint64_t row_version = 0;

  // Whether its members do business by a booking.
  bool is_booking() const {
    return item.kind == protocol::ThreadKind::kProject && !hidden.unbound.value.value_or(false);
  }
  int64_t shared_msg_no() const { return hidden.shared_msg_no.value.value_or(item.last_msg_no); }
};

struct ParticipantRow {
  protocol::Participant item;
  int64_t born_seq = 0;
  struct Private {
    bool muted = false;
    std::optional<Time> muted_until;
    std::optional<Time> blocked_until;
    int64_t read_no = 0;  // msgNo at the read cursor
    int64_t own_no = 0;   // msgNo of the user's own last message
    int64_t join_no = 0;  // lastMsgNo when they joined
    bool pinned = false;
    // Archived until a message above this one arrives. kTakenBack is below every message: the user restored
    // the thread by hand.
    std::optional<int64_t> archived_at_no;
    static constexpr int64_t kTakenBack = -1;
    std::optional<KeyText> label;
    // Hidden until then, or until a message above `snoozedAtNo`. Cleared by a command when it is over.
    protocol::Omit<Time> snoozed_until;
    protocol::Omit<int64_t> snoozed_at_no;
    // The event that ends it instead of a message, above `snoozedAtSeq`. The time is then optional.
    protocol::Omit<protocol::SnoozeEvent> snoozed_for;
    protocol::Omit<int64_t> snoozed_at_seq;
    protocol::Omit<bool> spam;  // true, or left out
    static constexpr void Fields(auto& field) {
      using T = Private;
      field("muted", &T::muted, "");
      field("mutedUntil", &T::muted_until, "");
      field("blockedUntil", &T::blocked_until, "");
      field("readNo", &T::read_no, "");
      field("ownNo", &T::own_no, "");
      field("joinNo", &T::join_no, "");
      field("pinned", &T::pinned, "");
      field("archivedAtNo", &T::archived_at_no, "");
      field("label", &T::label, "");
      field("snoozedUntil", &T::snoozed_until, "");
      field("snoozedAtNo", &T::snoozed_at_no, "");
      field("snoozedFor", &T::snoozed_for, "");
      field("snoozedAtSeq", &T::snoozed_at_seq, "");
      field("spam", &T::spam, "");
    }
  } hidden;

  bool active() const { return !item.removed_at.has_value(); }
  // Everything up to this msgNo counts as read.
  int64_t unread_base() const { return std::max({hidden.read_no, hidden.own_no, hidden.join_no}); }
};

struct NoPrivate {
  static constexpr void Fields(auto&) {}
};

// What staff withheld of a message, and can give back.
struct Withheld {
  std::string body;
  protocol::List<protocol::Attachment, 20> attachments;
  static constexpr void Fields(auto& field) {
    field("body", &Withheld::body, "");
    field("attachments", &Withheld::attachments, "");
  }
};

struct MessageRow {
  protocol::Message item;
  int64_t born_seq = 0;
  struct Private {
    // Who sees it, apart from staff (see MaySee); left out: everybody who reads the thread.
    protocol::Omit<UserId> only_for;
    protocol::Omit<int64_t> edits;      // how often its body was changed; null: never
    protocol::Omit<bool> flagged;       // true, or left out: staff see it as flagged
    protocol::Omit<Withheld> withheld;  // while it is blocked
    static constexpr void Fields(auto& field) {
      field("onlyFor", &Private::only_for, "");
      field("edits", &Private::edits, "");
      field("flagged", &Private::flagged, "");
      field("withheld", &Private::withheld, "");
    }
  } hidden;
};
// Whom a stored message or card is for, without decoding the rest; nullopt: it cannot be read.
std::optional<protocol::Omit<UserId>> OnlyFor(const ItemView& item);

struct TabRow {
  protocol::Tab item;
  int64_t born_seq = 0;
  NoPrivate hidden;
};

// Of manifestRefs, 32 hex digits each. A manifest is immutable: one that was delivered cannot be delivered
// again.
inline constexpr size_t kMaxDeliveries = 200;  // of one card
using ManifestDigests = protocol::List<protocol::Text<32>, kMaxDeliveries>;

struct CardRow {
  protocol::Card item;
  int64_t born_seq = 0;
  struct Private {
    int64_t revisions = 0;                       // how often the other side asked for one
    int64_t effect_seq = 0;                      // OUT# row of the effect that it waits for; 0: none
    protocol::Omit<ManifestDigests> delivered;   // the manifests of final deliveries before the present one
    protocol::Omit<UserId> only_for;             // as in its message
    protocol::Omit<protocol::Text<64>> of_case;  // the case that opened the card, and ends it
    static constexpr void Fields(auto& field) {
      using T = Private;
      field("revisions", &T::revisions, "");
      field("effectSeq", &T::effect_seq, "");
      field("delivered", &T::delivered, "");
      field("onlyFor", &T::only_for, "");
      field("ofCase", &T::of_case, "");
    }
  } hidden;
};

// The payload of a row; the item's own `seq` goes in front.
template <class R>
std::string EncodeItem(const R& row);
// The same from the item's wire bytes, if the caller has them.
template <class R>
std::string EncodeItem(const R& row, std::string_view wire);
template <class R>
bool DecodeItem(std::string_view payload, R* out);

// The wire bytes of a row's item.
template <class T>
std::string Wire(const T& item) {
  return protocol::Encode(item);
}

// HIST#{messageId}#{seq}: the message before the change `seq`.
struct HistoryRow {
  protocol::Message before;
  std::optional<UserId> by;
  std::optional<protocol::Text<1000>> reason;
  std::optional<Time> at;  // null in rows from older releases
  static constexpr void Fields(auto& field) {
    using T = HistoryRow;
    field("before", &T::before, "");
    field("by", &T::by, "");
    field("reason", &T::reason, "");
    field("at", &T::at, "");
  }
};

// LOG#{seq}: what changed, not how.
struct LogRow {
  protocol::EventKind kind = protocol::EventKind::kThreadUpdated;
  Time at;
  storage::SortKey sort;
};
std::string EncodeLog(const LogRow& row);
bool DecodeLog(std::string_view payload, LogRow* out);

// IDEM#…: the first answer, kept for a day at least.
inline constexpr int64_t kIdempotencyTtlMs = 48 * 3600 * 1000;
inline constexpr size_t kDigestSize = 16;
struct IdempotencyRow {
  Time expires_at;
  std::string digest;  // of the args, kDigestSize bytes
  std::string reply;   // the ok map as first answered
};
std::string EncodeIdempotency(const IdempotencyRow& row);
bool DecodeIdempotency(std::string_view payload, IdempotencyRow* out);
// How long the row is of use, without decoding the rest.
bool DecodeExpiry(std::string_view payload, Time* out);

// HIST#: since when it has been kept; nullopt if the row was written before rows recorded that.
std::optional<Time> HistoryTime(std::string_view payload);

// EVT#: when the event was applied; nullopt if the row was written before rows recorded that.
std::string EncodeEventTime(Time at);
std::optional<Time> DecodeEventTime(std::string_view payload);

// CREATE# and INQUIRY#: where a reservation leads.
struct ReservationRow {
  ThreadId thread;
  std::string digest;  // of the args, kDigestSize bytes
};
std::string EncodeReservation(const ReservationRow& row);
bool DecodeReservation(std::string_view payload, ReservationRow* out);

// CONTACT#: what became of a message request between the two, in one thread.
struct ContactRow {
  UserId from;
  protocol::RequestState state = protocol::RequestState::kPending;
  Time expires_at;
  static constexpr void Fields(auto& field) {
    using T = ContactRow;
    field("from", &T::from, "");
    field("state", &T::state, "");
    field("expiresAt", &T::expires_at, "");
  }
};

// MET#: when the two meet by one thread. None: they do not, or no longer do.
struct MeetingRow {
  std::optional<Time> at;
  bool tipped = false;  // the safety tip was posted there
};
std::string EncodeMeeting(const MeetingRow& row);
bool DecodeMeeting(std::string_view payload, MeetingRow* out);

// BROADCAST#: the threads that a broadcast goes to, fixed when it is first asked for.
struct BroadcastRow {
  std::string digest;
  std::vector<ThreadId> threads;
};
std::string EncodeBroadcast(const BroadcastRow& row);
bool DecodeBroadcast(std::string_view payload, BroadcastRow* out);

}  // namespace parley::threads

// Rows are read for as long as their store exists, so the rules at the end of protocol/items.h hold for
// private maps too: a field that is added later is an Omit<T> or an optional<T>, and nothing that was written
// is removed, renamed or refused. The parts of a row outside its maps (the varints of an item, LOG#, IDEM#,
// reservations) have no field names: they stay as they are, or the store gets a new format
// (storage/store_meta.h).
