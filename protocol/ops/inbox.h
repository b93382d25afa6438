// Ops of the caller's inbox: folders, their totals, the caller's own flags, and their read cursor.
#pragma once

#include "protocol/ops/base.h"

namespace parley::protocol {

// The standard folders, then those that a server adds by configuration (option `folders`) or a tenant by its
// settings.
enum class Folder : uint8_t {
  kAll,
  kUnread,
  kPinned,
  kArchived,
  kRequests,
  kAction,
  kSnoozed,
  kSpam,
  kStarred,
  kInquiries,
  kInvites,
  kBookings,
  kOffers,
  kDisputes,
};
template <>
struct EnumNames<Folder> {
  static constexpr std::string_view kNames[] = {"all",     "unread",   "pinned", "archived", "requests",
                                                "action",  "snoozed",  "spam",   "starred",  "inquiries",
                                                "invites", "bookings", "offers", "disputes"};
};
inline constexpr Folder kLastStandardFolder = Folder::kSpam;
inline constexpr size_t kFolderCount = std::size(EnumNames<Folder>::kNames);

// Folders as bits: bit n is Folder n.
using FolderSet = uint32_t;
constexpr FolderSet FoldersOf(std::initializer_list<Folder> folders) {
  FolderSet out = 0;
  for (const Folder folder : folders) out |= FolderSet{1} << static_cast<unsigned>(folder);
  return out;
}
inline constexpr FolderSet kStandardFolders =
    (FolderSet{2} << static_cast<unsigned>(kLastStandardFolder)) - 1;  // they are always offered

// Returns the folders with this name: one folder, or a named set. 0 if the name is unknown.
inline FolderSet FoldersNamed(std::string_view name) {
  using enum Folder;
  if (name == "g2") return FoldersOf({kStarred, kInquiries, kInvites, kBookings, kDisputes});
  if (name == "g3") return FoldersOf({kBookings, kOffers});
  const auto folder = EnumFromName<Folder>(name);
  return folder ? FoldersOf({*folder}) : 0;
}

enum class InboxOrder : uint8_t { kRecent, kUnread };
template <>
struct EnumNames<InboxOrder> {
  static constexpr std::string_view kNames[] = {"recent", "unread"};
};

struct InboxList {
  static constexpr std::string_view kName = "inbox.list";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "the caller's threads, newest message first (GSI1)";
  struct Args {
    std::optional<Folder> folder;
    std::optional<ThreadKind> kind;
    std::optional<ThreadStatus> status;
    std::optional<KeyableText<64>> label;
    std::optional<bool> muted;
    std::optional<bool> safe_mode_required;
    std::optional<InboxOrder> order;
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr void Fields(auto& field) {
      field("folder", &Args::folder,
            "if not given, all: neither archived nor snoozed, no pending request and no spam");
      field("kind", &Args::kind, "only threads of this kind");
      field("status", &Args::status, "only threads of this status");
      field("label", &Args::label, "only entries that the caller gave exactly this label");
      field("muted", &Args::muted, "only entries that are muted now, or only the others");
      field("safeModeRequired", &Args::safe_mode_required,
            "only threads in which Safe-Mode is required, or only the others");
      field("order", &Args::order, "if not given, newest first; unread: unread ones before the rest");
      field("cursor", &Args::cursor, "continue from here");
      field("limit", &Args::limit, "25 if not given");
    }
  };
  struct Reply {
    EncodedListOf<Entry> entries;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("entries", &Reply::entries, "in the order asked for");
      field("cursor", &Reply::cursor, "null at the end");
    }
  };
};

struct FolderCount {
  Folder folder = Folder::kAll;
  int64_t threads = 0;
  int64_t unread = 0;
  static constexpr void Fields(auto& field) {
    using T = FolderCount;
    field("folder", &T::folder, "the folder");
    field("threads", &T::threads, "the number of its threads");
    field("unread", &T::unread, "the number of its threads with unread messages");
  }
};

// The price of conversations with strangers, as it is enforced now.
struct CreditCount {
  int64_t available = 0, cost_per_request = 0, floor = 0;
  static constexpr void Fields(auto& field) {
    using T = CreditCount;
    field("available", &T::available, "credits left of this month's; none while they are frozen");
    field("costPerRequest", &T::cost_per_request, "the cost of a conversation with a stranger");
    field("floor", &T::floor, "credits that are always left");
  }
};

// The number of conversations that the caller may start: the smaller one of the hour's and the day's.
struct StartCount {
  int64_t window_ms = 0, max_conversations = 0, initiations = 0;
  static constexpr void Fields(auto& field) {
    using T = StartCount;
    field("windowMs", &T::window_ms, "the window, which ends now");
    field("maxConversations", &T::max_conversations, "the most that may be started in it");
    field("initiations", &T::initiations, "the number started in it");
  }
};

struct InboxCounts {
  static constexpr std::string_view kName = "inbox.counts";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "totals of each of the caller's folders, absolute";
  using Args = Empty;
  struct Reply {
    List<FolderCount, kFolderCount> folders;
    int64_t unread_messages = 0;
    Omit<CreditCount> credits;
    Omit<StartCount> rate_limit;
    static constexpr void Fields(auto& field) {
      field("folders", &Reply::folders, "every folder that this server offers");
      field("unreadMessages", &Reply::unread_messages,
            "unread messages of all threads of the folder `all` together");
      field("credits", &Reply::credits, "left out if strangers need no request");
      field("rateLimit", &Reply::rate_limit, "left out if starts are not limited");
    }
  };
};

struct InboxExplain {
  static constexpr std::string_view kName = "inbox.explain";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "explains the number of unread messages";
  using Args = ThreadIdArgs;
  struct Excluded {
    int64_t own = 0, deleted = 0, read_by_sending = 0;
    static constexpr void Fields(auto& field) {
      field("own", &Excluded::own, "own messages above the read cursor");
      field("deleted", &Excluded::deleted,
            "messages of others above the read cursor that were deleted, or that the caller may not see");
      field("readBySending", &Excluded::read_by_sending,
            "messages of others above the read cursor and below the caller's own last message");
    }
  };
  struct Reply {
    int64_t unread = 0, as_of_seq = 0, read_no = 0, last_msg_no = 0;
    Excluded excluded;
    Omit<bool> partial;
    static constexpr void Fields(auto& field) {
      field("unread", &Reply::unread, "as inbox.list shows it");
      field("asOfSeq", &Reply::as_of_seq, "as of this seq");
      field("readNo", &Reply::read_no, "latest of read cursor, own last message and joining");
      field("lastMsgNo", &Reply::last_msg_no, "the thread's");
      field("excluded", &Reply::excluded, "the credits left out");
      field("partial", &Reply::partial,
            "true: which messages are `own` is known only of the newest 1000; the rest counts as "
            "`readBySending`");
    }
  };
};

struct InboxSet {
  static constexpr std::string_view kName = "inbox.set";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "the caller's own flags on a thread";
  struct Args {
    ThreadId thread_id;
    std::optional<bool> pinned;
    std::optional<bool> archived;
    Clearable<KeyableText<64>> label;
    Clearable<Time> snoozed_until;
    std::optional<SnoozeEvent> snoozed_until_event;
    std::optional<bool> spam;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("pinned", &Args::pinned, "pin or unpin");
      field("archived", &Args::archived, "archive until the next message, or restore");
      field("label", &Args::label, "null clears");
      field("snoozedUntil", &Args::snoozed_until,
            "snooze until then or the event; null wakes it or, with an event, sets no end in time");
      field("snoozedUntilEvent", &Args::snoozed_until_event,
            "the event that ends the snooze early: the next message (if not given), a change to a card, or a "
            "change of the thread's status or kind; alone, it snoozes without an end in time");
      field("spam", &Args::spam, "mark as spam, or not");
    }
  };
  using Reply = EntryReply;
};

struct ReadMark {
  static constexpr std::string_view kName = "read.mark";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "moves the caller's read cursor; never backwards";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("messageId", &Args::message_id, "the newest message that was read");
    }
  };
  struct Reply {
    std::optional<MessageId> last_read_msg_id;
    std::optional<Time> last_read_at;
    int64_t unread = 0;
    static constexpr void Fields(auto& field) {
      field("lastReadMsgId", &Reply::last_read_msg_id, "the cursor");
      field("lastReadAt", &Reply::last_read_at, "everything sent up to then is read");
      field("unread", &Reply::unread, "messages still unread");
    }
  };
};

struct ParticipantMute {
  static constexpr std::string_view kName = "participant.mute";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "the caller's own row only";
  struct Args {
    ThreadId thread_id;
    bool muted = false;
    Clearable<Time> until;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("muted", &Args::muted, "on or off");
      field("until", &Args::until, "end of the mute; null: none");
    }
  };
  using Reply = EntryReply;
};

}  // namespace parley::protocol
