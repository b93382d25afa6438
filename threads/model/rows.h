// Rows of a thread's partition: the wire item as clients receive it, and beside it the server's private
// fields. The wire bytes are stored as they are sent, so pages and events splice them without decoding.
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
#include "protocol/states.h"
#include "storage/table.h"
#include "threads/model/keys.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {

using protocol::KeyText;
using protocol::Time;

// The server wrote these rows, so the limits bound a stored item, which wraps the client's frame and is
// larger than it.
inline constexpr protocol::DecodeLimits kRowLimits{size_t{64} << 20, 64, size_t{1} << 20};
// Requires exactly one value with nothing after it, so a truncated row never passes for a complete one.
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

// An open card as the head of its thread keeps it, so that the rules across cards, the number in the inbox
// and the deadline need not read the cards.
struct OpenCard {
  MessageId message_id;
  protocol::CardWord type;
  protocol::CardWord state;
  UserId created_by;
  std::optional<Time> due;  // when it lapses; null while it waits for an outside effect
  bool awaiting = false;
  protocol::Omit<UserId> only_for;  // as in its card
  // The booking that it concerns; left out: the thread's own, or all its legs if it has several.
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
inline constexpr size_t kMaxOpenCards = 50;       // in one thread
inline constexpr size_t kReservedOpenCards = 10;  // in addition, for disputes and safety reports only
using OpenCardList = protocol::List<OpenCard, kMaxOpenCards + kReservedOpenCards>;

// Access for a limited time that a case grants to a staff member who is bound to cases.
struct CaseAccess {
  UserId user;
  protocol::Text<64> case_id;
  Time until;
  protocol::Omit<bool> escalated;  // true, or left out: contact data and codes are masked
  static constexpr void Fields(auto& field) {
    using T = CaseAccess;
    field("user", &T::user, "");
    field("caseId", &T::case_id, "");
    field("until", &T::until, "");
    field("escalated", &T::escalated, "");
  }
};
inline constexpr size_t kMaxCaseAccess = 32;  // in one thread
// A message request from a stranger, and its state. Until `to` accepts, they cannot read the thread
// (requests.h).
struct RequestRow {
  RequestId request_id;
  UserId from, to;
  protocol::RequestState state = protocol::RequestState::kPending;
  Time created_at;
  Time expires_at;
  int64_t credit_cost = 0;
  int64_t preview_max = 0;  // the number of characters of its message that `to` sees while it is pending
  protocol::Omit<protocol::Json> contact;  // the proofs that the sender gave for the filter of `to`
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

inline constexpr size_t kMaxInvited = 20;  // in one group, at once
using RequestList = protocol::List<RequestRow, kMaxInvited>;

struct ThreadRow {
  protocol::Thread item;
  int64_t born_seq = 1;
  struct Private {
    std::optional<UserId> creator;  // null: a service
    std::optional<std::string> role;
    std::optional<protocol::LastMessage> last_message;
    protocol::Omit<int64_t> preview_rule;  // kPreviewRule of its preview; left out: made by an older version
    int64_t deleted_count = 0;             // number of uncounted messages, usually 0
    // Times when the clock must act on the thread; each has its row in the index of wakes.
    protocol::Omit<Time> idle_due_at;  // when to check whether the thread is idle; null: archived already
    // Times of the next rounds of removal (retention.h) for repeats' answers, texts from before edits,
    // outside events, and LOG# rows, which are removed up to `log_swept`. Null: no row to remove.
    protocol::Omit<Time> forget_due_at, history_due_at, events_due_at, log_due_at;
    protocol::Omit<int64_t> log_swept;
    protocol::Omit<Time> tip_due_at;  // the safety tip before a first meeting; null: not due, or posted
    protocol::Omit<bool> tip_posted;  // once per thread
    protocol::Omit<OpenCardList> open_cards;  // in order of creation; left out if no card is open
    // The newest message of all, and the msgNo of the newest that all members see; left out if both are
    // `lastMessage`. A restricted message neither moves nor wakes the entries of the other members.
    protocol::Omit<MessageId> newest_message;
    protocol::Omit<int64_t> shared_msg_no;
    // Events that end a snooze: the last seq that changed a card (except safety reports, which some members
    // do not see), and the last that changed the thread's status, kind or binding.
    protocol::Omit<int64_t> card_seq;
    protocol::Omit<int64_t> status_seq;
    // From this seq on, LOG# has a row for the last change of each item only; null: for every change, as
    // earlier versions wrote it.
    protocol::Omit<int64_t> lean_from;
    // The last change of the status, for staff; locked_at is null while the thread is open.
    protocol::Omit<Time> locked_at;
    protocol::Omit<protocol::Text<1000>> status_reason;
    protocol::Omit<UserId> status_by;
    // The last member whom the archiving of an idle thread has reached; null: not in progress.
    protocol::Omit<UserId> idle_after;
    // The state of a project's booking as the back end reported it; null: live if the project is bound to
    // one.
    protocol::Omit<protocol::BookingState> booking;
    protocol::Omit<protocol::List<CaseAccess, kMaxCaseAccess>> case_access;  // left out if empty
    protocol::Omit<RequestRow> request;  // left out: the two knew each other
    protocol::Omit<int64_t> start_cost;  // in credits, charged to the creator; left out: free
    protocol::Omit<int64_t> file_bytes;  // the sum of its uploads; left out: none
    // Strangers who are invited to the group, in order of creation; left out if empty.
    protocol::Omit<RequestList> invited;
    // A project that a user made and that no service has bound to a booking since: its members remain
    // strangers.
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
      field("fileBytes", &T::file_bytes, "");
      field("invited", &T::invited, "");
      field("unbound", &T::unbound, "");
      field("lockedAt", &T::locked_at, "");
      field("statusReason", &T::status_reason, "");
      field("statusBy", &T::status_by, "");
      field("caseAccess", &T::case_access, "");
    }
  } hidden;
  // The store's count of writes to the row, which proves that no other writer interfered. 0: not stored yet.
  uint64_t row_version = 0;

  // Whether its members do business through a booking.
  bool is_booking() const { return TraitsOf(item.kind).bookable && !hidden.unbound.value.value_or(false); }
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
    // Hidden until this time, or until a message above `snoozedAtNo`. A command clears it once it is over.
    protocol::Omit<Time> snoozed_until;
    protocol::Omit<int64_t> snoozed_at_no;
    // An event above `snoozedAtSeq` that ends the snooze instead of a message. The time is then optional.
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

// Reads the user who alone may see a stored message or card, without decoding the rest; nullopt if the
// row is unreadable.
std::optional<protocol::Omit<UserId>> OnlyFor(const ItemView& item);

// In message_row.h.
struct MessageRow;
struct HistoryRow;

struct TabRow {
  protocol::Tab item;
  int64_t born_seq = 0;
  NoPrivate hidden;
};

// Digests of manifestRefs, 32 hex digits each. A manifest is immutable, so it cannot be delivered twice.
inline constexpr size_t kMaxDeliveries = 200;  // for one card
using ManifestDigests = protocol::List<protocol::Text<32>, kMaxDeliveries>;

struct CardRow {
  protocol::Card item;
  int64_t born_seq = 0;
  struct Private {
    int64_t revisions = 0;                       // number of revisions that the other side requested
    int64_t effect_seq = 0;                      // OUT# row of the effect that it waits for; 0: none
    protocol::Omit<ManifestDigests> delivered;   // the manifests of final deliveries before the present one
    protocol::Omit<UserId> only_for;             // as in its message
    protocol::Omit<protocol::Text<64>> of_case;  // the case that opened the card and will end it
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

// Encodes a row; the item's own `seq` comes first.
template <class R>
std::string EncodeItem(const R& row);
// Takes the item's wire bytes, if the caller has them.
template <class R>
std::string EncodeItem(const R& row, std::string_view wire);
template <class R>
bool DecodeItem(std::string_view payload, R* out);

// The wire bytes of a row's item.
template <class T>
std::string Wire(const T& item) {
  return protocol::Encode(item);
}

// LOG#{seq}: the item that a change wrote.
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
  std::string digest;  // digest of the args, kDigestSize bytes
  std::string reply;   // the ok map as first answered
};
std::string EncodeIdempotency(const IdempotencyRow& row);
bool DecodeIdempotency(std::string_view payload, IdempotencyRow* out);
// Reads when the row expires without decoding the rest.
bool DecodeExpiry(std::string_view payload, Time* out);

// HIST#: the time when the row was written; nullopt if it is older than that field.
std::optional<Time> HistoryTime(std::string_view payload);

// EVT#: the time when the event was applied; nullopt if the row is older than that field.
std::string EncodeEventTime(Time at);
std::optional<Time> DecodeEventTime(std::string_view payload);

// CREATE#, INQUIRY# and DIRECT#: the thread to which a reservation points.
struct ReservationRow {
  ThreadId thread;
  std::string digest;  // digest of the args, kDigestSize bytes
};
std::string EncodeReservation(const ReservationRow& row);
bool DecodeReservation(std::string_view payload, ReservationRow* out);

// CONTACT#: the state of a message request between the two users in one thread.
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

// MET#: the time when the two users meet according to one thread; null: no meeting, or cancelled.
struct MeetingRow {
  std::optional<Time> at;
  bool tipped = false;  // the safety tip was posted there
};
std::string EncodeMeeting(const MeetingRow& row);
bool DecodeMeeting(std::string_view payload, MeetingRow* out);

// BROADCAST#: the threads that a broadcast is sent to, fixed by the first request for it.
struct BroadcastRow {
  std::string digest;
  std::vector<ThreadId> threads;
};
std::string EncodeBroadcast(const BroadcastRow& row);
bool DecodeBroadcast(std::string_view payload, BroadcastRow* out);

}  // namespace parley::threads

// Rows are read for as long as their store exists, so the rules at the end of protocol/items.h apply to
// private maps, too: a new field is an Omit<T> or an optional<T>, and no field or value that was ever written
// is removed, renamed or rejected. The parts of a row outside its maps (the varints of an item, LOG#, IDEM#,
// reservations) have no field names: they stay as they are, or the store gets a new format
// (storage/store_meta.h).
