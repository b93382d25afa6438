// The items of the single table as they appear on the wire and in rows: thread, participant, inbox entry,
// tab; messages are in message_items.h, cards in cards.h. The doc strings give the meanings, and the rules
// for changing these structs are at the end.
#pragma once

#include <optional>
#include <string>

#include "protocol/base/ids.h"
#include "protocol/cards.h"
#include "protocol/message_parts.h"
#include "protocol/schema.h"

namespace parley::protocol {

// Inquiries and projects are between a buyer and a seller. A direct thread belongs to two users permanently.
// A group's members are chosen by its owners.
enum class ThreadKind : uint8_t { kInquiry, kProject, kDirect, kGroup };
template <>
struct EnumNames<ThreadKind> {
  static constexpr std::string_view kNames[] = {"inquiry", "project", "direct", "group"};
};

// A special kind of inquiry: the buyer invites several sellers at once.
enum class ThreadSubtype : uint8_t { kInvite };
template <>
struct EnumNames<ThreadSubtype> {
  static constexpr std::string_view kNames[] = {"invite"};
};

enum class ThreadStatus : uint8_t { kOpen, kArchived, kLocked };
template <>
struct EnumNames<ThreadStatus> {
  static constexpr std::string_view kNames[] = {"open", "archived", "locked"};
};

enum class RoleContext : uint8_t { kBuyer, kSeller, kAdmin, kMember };
template <>
struct EnumNames<RoleContext> {
  static constexpr std::string_view kNames[] = {"buyer", "seller", "admin", "member"};
};

// Ascending: each permission includes those before it.
enum class Permission : uint8_t { kRead, kFiles, kWrite, kOwner };
template <>
struct EnumNames<Permission> {
  static constexpr std::string_view kNames[] = {"read", "files", "write", "owner"};
};

enum class TabName : uint8_t { kBrief, kMoodboard, kShotlist, kFiles, kDocs, kExpenses, kActions };
template <>
struct EnumNames<TabName> {
  static constexpr std::string_view kNames[] = {"brief", "moodboard", "shotlist", "files",
                                                "docs",  "expenses",  "actions"};
};

inline constexpr size_t kListedParticipants = 100;  // ids shown in Thread.participants

inline constexpr size_t kMaxPins = 20;     // pinned messages of a thread
inline constexpr size_t kMaxAllPins = 25;  // including pins by the server: open disputes

struct ShotProgress {
  int64_t done = 0, total = 0;
  friend bool operator==(const ShotProgress&, const ShotProgress&) = default;
  static constexpr void Fields(auto& field) {
    using T = ShotProgress;
    field("done", &T::done, "shots that are done");
    field("total", &T::total, "shots in all");
  }
};

struct Thread {
  ThreadId thread_id;
  ThreadKind kind = ThreadKind::kInquiry;
  Omit<ThreadSubtype> subtype;
  std::optional<std::string> subject;
  std::optional<LbgId> lbg_id;
  std::optional<LegId> leg_id;
  std::optional<UserId> buyer_user_id;
  std::optional<UserId> seller_user_id;
  List<UserId, kListedParticipants> participants;
  int64_t participant_count = 0;
  std::optional<std::string> city;
  Time created_at;
  Time updated_at;
  ThreadStatus status = ThreadStatus::kOpen;
  std::optional<Time> last_message_at;
  int64_t last_seq = 0;
  int64_t last_msg_no = 0;
  bool safe_mode_required = false;
  std::optional<Time> meeting_at;
  std::optional<int64_t> panel_version;
  std::optional<ShotProgress> shotlist;
  std::optional<List<MessageId, kMaxAllPins>> pins;
  std::optional<MessageId> dispute_message_id;
  int64_t version = 1;
  int64_t seq = 0;
  // In replies to staff only, never in a row or an event, because all members receive those
  // (threads/model/staff_view.h).
  Omit<Time> locked_at;
  Omit<Text<1000>> status_reason;
  Omit<UserId> status_by;

  static constexpr void Fields(auto& field) {
    using T = Thread;
    field("threadId", &T::thread_id, "the thread");
    field("kind", &T::kind, "inquiry, project, direct or group");
    field("subtype", &T::subtype, "invite: the inquiry began as one; left out: nothing special");
    field("subject", &T::subject, "the subject");
    field("lbgId", &T::lbg_id, "linked booking group it is bound to");
    field("legId", &T::leg_id, "leg it is bound to");
    field("buyerUserId", &T::buyer_user_id, "the buyer; null in direct threads and groups");
    field("sellerUserId", &T::seller_user_id, "the seller; null in direct threads and groups");
    field("participants", &T::participants, "the first 100 members");
    field("participantCount", &T::participant_count, "the number of members");
    field("city", &T::city, "city");
    field("createdAt", &T::created_at, "time of creation");
    field("updatedAt", &T::updated_at, "time of its last change, of whatever kind");
    field("status", &T::status, "open, or refusing writes");
    field("lastMessageAt", &T::last_message_at, "createdAt of the newest message");
    field("lastSeq", &T::last_seq, "seq of the newest shared change");
    field("lastMsgNo", &T::last_msg_no, "msgNo of the newest message");
    field("safeModeRequired", &T::safe_mode_required, "Safe-Mode cannot be lifted here");
    field("meetingAt", &T::meeting_at, "time of the meeting");
    field("panelVersion", &T::panel_version,
          "rises with each change of any tab; null: none has been written");
    field("shotlist", &T::shotlist, "progress of the shot list; null without a shot list");
    field("pins", &T::pins, "pinned messages, the newest pin last; null: none");
    field("disputeMessageId", &T::dispute_message_id, "the open dispute, for a banner");
    field("version", &T::version, "rises with each change of the thread's own fields");
    field("seq", &T::seq, "seq of the last change of the thread's own fields");
    field("lockedAt", &T::locked_at, "to staff only: when it stopped being open; left out while it is open");
    field("statusReason", &T::status_reason,
          "to staff only: why its status was last changed; left out: it never was");
    field("statusBy", &T::status_by, "to staff only: the user who last changed its status");
  }
};

struct Participant {
  UserId user_id;
  RoleContext role_context = RoleContext::kBuyer;
  Permission permission = Permission::kWrite;
  std::optional<MessageId> last_read_msg_id;
  std::optional<Time> last_read_at;
  Time joined_at;
  std::optional<Time> removed_at;
  int64_t seq = 0;

  static constexpr void Fields(auto& field) {
    using T = Participant;
    field("userId", &T::user_id, "the user");
    field("roleContext", &T::role_context, "the participant's role");
    field("permission", &T::permission, "the level of permission, in rising order");
    field("lastReadMsgId", &T::last_read_msg_id, "read cursor");
    field("lastReadAt", &T::last_read_at, "everything sent up to then is read");
    field("joinedAt", &T::joined_at, "member since");
    field("removedAt", &T::removed_at, "null while a member");
    field("seq", &T::seq, "seq of the last shared change");
  }
};

// The part of a participant's membership that only they see.
struct Me {
  UserId user_id;
  RoleContext role_context = RoleContext::kBuyer;
  Permission permission = Permission::kWrite;
  std::optional<MessageId> last_read_msg_id;
  std::optional<Time> last_read_at;
  Time joined_at;
  std::optional<Time> removed_at;
  int64_t seq = 0;
  bool muted = false;
  std::optional<Time> muted_until;
  std::optional<Time> blocked_until;
  int64_t read_no = 0;

  static constexpr void Fields(auto& field) {
    using T = Me;
    field("userId", &T::user_id, "the user");
    field("roleContext", &T::role_context, "the participant's role");
    field("permission", &T::permission, "the level of permission, in rising order");
    field("lastReadMsgId", &T::last_read_msg_id, "read cursor");
    field("lastReadAt", &T::last_read_at, "everything sent up to then is read");
    field("joinedAt", &T::joined_at, "member since");
    field("removedAt", &T::removed_at, "null while a member");
    field("seq", &T::seq, "seq of the last shared change");
    field("muted", &T::muted, "no notifications");
    field("mutedUntil", &T::muted_until, "end of the mute; null: none");
    field("blockedUntil", &T::blocked_until, "the user blocks the other until then; null: they do not");
    field("readNo", &T::read_no, "latest of read cursor, own last message and joining, as a msgNo");
  }
};

// The state of a message request: whether the recipient accepts messages of the stranger.
enum class RequestState : uint8_t { kPending, kAccepted, kDeclined, kBlocked, kExpired };
template <>
struct EnumNames<RequestState> {
  static constexpr std::string_view kNames[] = {"pending", "accepted", "declined", "blocked", "expired"};
};

// A message request as one of the two sees it: the sender sees `declined` instead of `blocked`.
struct MessageRequest {
  RequestId request_id;
  UserId from_user_id;
  RequestState state = RequestState::kPending;
  Time created_at;
  Time expires_at;
  int64_t credit_cost = 0;
  Omit<Json> contact;

  static constexpr void Fields(auto& field) {
    using T = MessageRequest;
    field("requestId", &T::request_id, "the request");
    field("fromUserId", &T::from_user_id, "the author of the request");
    field("state", &T::state, "the outcome; a block is shown to the requester as declined");
    field("createdAt", &T::created_at, "time of creation");
    field("expiresAt", &T::expires_at, "end of the request unless it is answered");
    field("creditCost", &T::credit_cost, "the credits that the author paid");
    field("contact", &T::contact, "the author's answers to the contact filter; left out: none");
  }
};

// An event that ends a snooze early.
enum class SnoozeEvent : uint8_t { kMessage, kCard, kStatus };
template <>
struct EnumNames<SnoozeEvent> {
  static constexpr std::string_view kNames[] = {"message", "card", "status"};
};

struct Entry {
  ThreadId thread_id;
  ThreadKind kind = ThreadKind::kInquiry;
  Omit<ThreadSubtype> subtype;
  std::optional<std::string> subject;
  std::optional<Time> last_message_at;
  int64_t last_seq = 0;
  int64_t unread = 0;
  std::optional<LastMessage> last_message;
  bool pinned = false;
  bool archived = false;
  bool muted = false;
  std::optional<Time> muted_until;
  std::optional<KeyText> label;
  std::optional<MessageRequest> request;
  int64_t open_cards = 0;
  ThreadStatus status = ThreadStatus::kOpen;
  std::optional<Time> snoozed_until;
  Omit<SnoozeEvent> snoozed_until_event;
  Omit<bool> spam;
  // Missing in rows of releases that did not have them, until those rows are rewritten (fanout/renewal.h).
  std::optional<Time> created_at;
  std::optional<bool> safe_mode_required;
  std::optional<int64_t> read_no;
  std::optional<Time> blocked_until;

  static constexpr void Fields(auto& field) {
    using T = Entry;
    field("threadId", &T::thread_id, "the thread");
    field("kind", &T::kind, "inquiry, project, direct or group");
    field("subtype", &T::subtype, "the thread's; left out: none");
    field("subject", &T::subject, "the subject");
    field("lastMessageAt", &T::last_message_at, "its position in the inbox");
    field("lastSeq", &T::last_seq, "the entry is as of this seq");
    field("unread", &T::unread, "messages not read yet, absolute");
    field("lastMessage", &T::last_message, "the newest message");
    field("pinned", &T::pinned, "pinned by the owner");
    field("archived", &T::archived, "archived until the next message");
    field("muted", &T::muted, "no notifications");
    field("mutedUntil", &T::muted_until, "end of the mute");
    field("label", &T::label, "the owner's own label");
    field("request", &T::request, "the message request, if any");
    field("openCards", &T::open_cards, "the number of cards that wait for an answer");
    field("status", &T::status, "the thread's");
    field("snoozedUntil", &T::snoozed_until,
          "snoozed until then; null: not snoozed, or without an end in time");
    field(
        "snoozedUntilEvent", &T::snoozed_until_event,
        "while snoozed: the event that ends the snooze early; left out: the next message, if it is snoozed");
    field("spam", &T::spam, "marked as spam by the owner; left out: not");
    field("createdAt", &T::created_at, "the thread's");
    field("safeModeRequired", &T::safe_mode_required, "Safe-Mode cannot be lifted there");
    field("readNo", &T::read_no, "latest of read cursor, own last message and joining, as a msgNo");
    field("blockedUntil", &T::blocked_until, "the owner blocks the other until then; null: they do not");
  }
};

struct Tab {
  TabName tab = TabName::kBrief;
  int64_t version = 1;
  Json content;
  std::optional<UserId> updated_by;
  Time updated_at;
  int64_t seq = 0;
  Omit<int64_t> panel_version;
  Omit<ShotProgress> shotlist;

  static constexpr void Fields(auto& field) {
    using T = Tab;
    field("tab", &T::tab, "the tab");
    field("version", &T::version, "rises with each change");
    field("content", &T::content, "the tab's content");
    field("updatedBy", &T::updated_by, "the author of the last change");
    field("updatedAt", &T::updated_at, "time of the last change");
    field("seq", &T::seq, "seq of its last change");
    field("panelVersion", &T::panel_version, "the thread's version, as of this change");
    field("shotlist", &T::shotlist, "the shot list's: the thread's progress, as of this change");
  }
};

}  // namespace parley::protocol

// Rows contain these structs unchanged, and rows are kept forever. Once a field is released, therefore:
//
//   - A field that is added is an Omit<T> or an optional<T>, and its absence means what it meant before the
//     field existed. A plain T must be present (schema.h), whatever default it has here: rows written earlier
//     could not be read.
//   - A field is never renamed, removed, or given another type: an unknown name is rejected, too.
//   - The set of values that a field accepts only grows: bounds of texts, lists and numbers are raised, never
//     lowered, and no name leaves an enumeration. A stricter rule for client input belongs in the op's args.
//
// tests/fanout/released_rows_test.cc reads the rows of every released version.
