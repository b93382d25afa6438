// Every op: its name, what it takes, what it answers, and how it may be called. Adding an op is adding a
// struct here (or in one of the headers included) and its name to AllOps; the router then does not compile
// until the op has a handler.
#pragma once

#include "protocol/ops_base.h"
#include "protocol/ops_cards.h"
#include "protocol/ops_inbox.h"
#include "protocol/ops_moderation.h"
#include "protocol/ops_panel.h"

namespace parley::protocol {

// --- session

enum class DeliverMode : uint8_t { kAll, kOpen };
template <>
struct EnumNames<DeliverMode> {
  static constexpr std::string_view kNames[] = {"all", "open"};
};

enum class ResumeVerdict : uint8_t { kOk, kReset, kGone };
template <>
struct EnumNames<ResumeVerdict> {
  static constexpr std::string_view kNames[] = {"ok", "reset", "gone"};
};

struct ResumeRequest {
  std::string epoch;
  Dictionary<Seq> threads;  // at most kMaxResumeThreads, judged by the session
  static constexpr auto Fields() {
    using T = ResumeRequest;
    return std::tuple(
        Field("epoch", &T::epoch, "the history the held seqs belong to; any other than the server's resets"),
        Field("threads", &T::threads, "threadId → last seq held"));
  }
};
inline constexpr size_t kMaxResumeThreads = 500;

struct SessionLimits {
  int64_t max_frame_bytes = 0, max_body_bytes = 0, max_in_flight = 0, outbox_bytes = 0, edit_window_ms = 0;
  int64_t max_resume_threads = 0, max_participants = 0, max_named_participants = 0, max_open_threads = 0,
          max_sessions = 0, max_page_bytes = 0;
  static constexpr auto Fields() {
    using T = SessionLimits;
    return std::tuple(
        Field("maxFrameBytes", &T::max_frame_bytes, "largest frame taken"),
        Field("maxBodyBytes", &T::max_body_bytes, "largest message body, UTF-8 bytes"),
        Field("maxInFlight", &T::max_in_flight, "unanswered requests before the server stops reading"),
        Field("outboxBytes", &T::outbox_bytes, "bytes the server queues for a slow reader"),
        Field("editWindowMs", &T::edit_window_ms, "how long an author may edit"),
        Field("maxPageBytes", &T::max_page_bytes, "where a page ends, as JSON, if not at its limit of items"),
        Field("maxResumeThreads", &T::max_resume_threads, "threads in one resume map"),
        Field("maxParticipants", &T::max_participants, "members of one thread"),
        Field("maxNamedParticipants", &T::max_named_participants,
              "elements of `participants` in one thread.create"),
        Field("maxOpenThreads", &T::max_open_threads, "threads a session has open at once"),
        Field("maxSessions", &T::max_sessions, "sessions of one user at once"));
  }
};

struct SessionHello {
  static constexpr std::string_view kName = "session.hello";
  static constexpr OpKind kKind = OpKind::kSession;
  static constexpr std::string_view kDoc =
      "authenticates the session and says where to go on; must be the first request";
  struct Args {
    std::optional<std::string> token;
    std::optional<ResumeRequest> resume;
    std::optional<DeliverMode> deliver;
    std::optional<Text<200>> device;
    std::optional<bool> safe_mode;
    static constexpr auto Fields() {
      return std::tuple(
          Field("token", &Args::token, "a JWT; wins over the Authorization header"),
          Field("resume", &Args::resume, "what the client holds"),
          Field("deliver", &Args::deliver, "all changes as events, or only those of opened threads"),
          Field("device", &Args::device, "free text for the log"),
          Field("safeMode", &Args::safe_mode,
                "false: an adult (by the token) wishes to see what is mature, where the thread lets him"));
    }
  };
  struct Reply {
    std::string session_id;
    UserId user_id;
    TenantId tenant_id;
    std::string role;
    Time server_time;
    std::string epoch;
    int64_t heartbeat_ms = 0, presence_ttl_ms = 0, typing_ttl_ms = 0;
    SessionLimits limits;
    Dictionary<ResumeVerdict> resumed;
    static constexpr auto Fields() {
      return std::tuple(
          Field("sessionId", &Reply::session_id, "names the session in the server's log"),
          Field("userId", &Reply::user_id, "who the token says you are"),
          Field("tenantId", &Reply::tenant_id, "whose user"), Field("role", &Reply::role, "the token's role"),
          Field("serverTime", &Reply::server_time, "now"),
          Field("epoch", &Reply::epoch, "the history of this store; seqs of another epoch mean nothing"),
          Field("heartbeatMs", &Reply::heartbeat_ms, "the server pings a silent session this often"),
          Field("presenceTtlMs", &Reply::presence_ttl_ms, "presence lapses after this"),
          Field("typingTtlMs", &Reply::typing_ttl_ms, "typing lapses after this"),
          Field("limits", &Reply::limits, "bounds in force"),
          Field("resumed", &Reply::resumed, "threadId → ok, reset or gone"));
    }
  };
};

struct SessionPing {
  static constexpr std::string_view kName = "session.ping";
  static constexpr OpKind kKind = OpKind::kSession;
  static constexpr std::string_view kDoc = "counts as presence";
  using Args = Empty;
  struct Reply {
    Time server_time;
    static constexpr auto Fields() { return std::tuple(Field("serverTime", &Reply::server_time, "now")); }
  };
};

struct SessionRefresh {
  static constexpr std::string_view kName = "session.refresh";
  static constexpr OpKind kKind = OpKind::kSession;
  static constexpr std::string_view kDoc = "replaces the token before it expires";
  struct Args {
    std::string token;
    static constexpr auto Fields() {
      return std::tuple(Field("token", &Args::token, "a newer JWT of the same user"));
    }
  };
  struct Reply {
    Time expires_at;
    static constexpr auto Fields() {
      return std::tuple(Field("expiresAt", &Reply::expires_at, "when the new token expires"));
    }
  };
};

// --- threads

struct NewParticipant {
  UserId user_id;
  std::optional<RoleContext> role_context;
  static constexpr auto Fields() {
    using T = NewParticipant;
    return std::tuple(Field("userId", &T::user_id, "who"),
                      Field("roleContext", &T::role_context, "buyer if not given"));
  }
};
inline constexpr size_t kMaxParticipants = 10'000;  // members of one thread
inline constexpr size_t kMaxNamed = 500;  // named in one thread.create: each is a row and an event to all

struct ThreadCreate {
  static constexpr std::string_view kName = "thread.create";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "starts a thread; idempotent on (creator, clientId)";
  struct Args {
    ThreadKind kind = ThreadKind::kInquiry;
    Omit<ThreadSubtype> subtype;
    UserId buyer_user_id;
    UserId seller_user_id;
    std::optional<List<NewParticipant, kMaxNamed>> participants;
    std::optional<Text<200>> subject;
    std::optional<KeyableText<64>> role;
    std::optional<LbgId> lbg_id;
    std::optional<LegId> leg_id;
    std::optional<Text<100>> city;
    std::optional<bool> safe_mode_required;
    std::optional<Json> brief;
    std::optional<Body> first_message;
    std::optional<ClientId> client_id;
    static constexpr auto Fields() {
      return std::tuple(
          Field("kind", &Args::kind, "inquiry or project"),
          Field("subtype", &Args::subtype,
                "invite: one of several that a buyer asks at once; inquiries only"),
          Field("buyerUserId", &Args::buyer_user_id, "the buyer"),
          Field("sellerUserId", &Args::seller_user_id, "the seller"),
          Field("participants", &Args::participants,
                "further members, at most limits.maxNamedParticipants; more come by participant.add"),
          Field("subject", &Args::subject, "what it is about"),
          Field("role", &Args::role, "the seller's role; one open inquiry per buyer, seller and role"),
          Field("lbgId", &Args::lbg_id, "linked booking group"), Field("legId", &Args::leg_id, "leg"),
          Field("city", &Args::city, "city"),
          Field("safeModeRequired", &Args::safe_mode_required, "Safe-Mode can not be lifted"),
          Field("brief", &Args::brief, "content of the brief tab"),
          Field("firstMessage", &Args::first_message, "body of the first message"),
          Field("clientId", &Args::client_id, "makes a repeat answer the same thread"));
    }
  };
  struct Reply {
    EncodedOf<Thread> thread;
    EncodedListOf<Participant> participants;
    Omit<Json> request;
    static constexpr auto Fields() {
      return std::tuple(Field("thread", &Reply::thread, "the thread"),
                        Field("participants", &Reply::participants, "its members"),
                        Field("request", &Reply::request, "the message request, where one was opened"));
    }
  };
};

struct ThreadGet {
  static constexpr std::string_view kName = "thread.get";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "reads the head of a thread";
  using Args = ThreadIdArgs;
  struct Reply {
    EncodedOf<Thread> thread;
    EncodedListOf<Participant> participants;
    std::optional<Me> me;
    EncodedListOf<Tab> tabs;
    int64_t last_seq = 0;
    static constexpr auto Fields() {
      return std::tuple(
          Field("thread", &Reply::thread, "the thread"),
          Field("participants", &Reply::participants, "the first 100 members; participant.list has all"),
          Field("me", &Reply::me, "the caller's own membership; null for staff and services"),
          Field("tabs", &Reply::tabs, "the panel"),
          Field("lastSeq", &Reply::last_seq, "seq of the newest change"));
    }
  };
};

enum class ChangeKind : uint8_t { kThread, kParticipant, kMessage, kCard, kTab };
template <>
struct EnumNames<ChangeKind> {
  static constexpr std::string_view kNames[] = {"thread", "participant", "message", "card", "tab"};
};
struct ChangeItem {
  int64_t seq = 0;
  ChangeKind kind = ChangeKind::kThread;
  Encoded item;
  static constexpr auto Fields() {
    using T = ChangeItem;
    return std::tuple(Field("seq", &T::seq, "seq of the item's last change"),
                      Field("kind", &T::kind, "what the item is"),
                      Field("item", &T::item, "the item in its latest state"));
  }
};

struct PresenceItem {
  UserId user_id;
  bool online = false;
  static constexpr auto Fields() {
    using T = PresenceItem;
    return std::tuple(Field("userId", &T::user_id, "who"),
                      Field("online", &T::online, "seen within presenceTtlMs"));
  }
};

struct ThreadOpen {
  static constexpr std::string_view kName = "thread.open";
  static constexpr OpKind kKind = OpKind::kSession;
  static constexpr std::string_view kDoc =
      "reads a thread for showing it, and subscribes to typing and presence in it";
  struct Args {
    ThreadId thread_id;
    std::optional<Seq> after_seq;
    std::optional<PageLimit> limit;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("afterSeq", &Args::after_seq, "also answer what changed after this seq"),
                        Field("limit", &Args::limit, "messages, 50 if not given"));
    }
  };
  struct Reply {
    EncodedOf<Thread> thread;
    EncodedListOf<Participant> participants;
    std::optional<Me> me;
    EncodedListOf<Tab> tabs;
    int64_t last_seq = 0;
    EncodedListOf<Message> messages;
    std::optional<std::string> cursor;
    List<PresenceItem, kListedParticipants> presence;
    Omit<EncodedListOf<ChangeItem>> changes;
    Omit<bool> reset;
    static constexpr auto Fields() {
      return std::tuple(
          Field("thread", &Reply::thread, "the thread"),
          Field("participants", &Reply::participants, "the first 100 members"),
          Field("me", &Reply::me, "the caller's own membership"), Field("tabs", &Reply::tabs, "the panel"),
          Field("lastSeq", &Reply::last_seq, "everything here is as of this seq"),
          Field("messages", &Reply::messages, "newest first"),
          Field("cursor", &Reply::cursor, "for message.list's `before`; null at the end"),
          Field("presence", &Reply::presence, "of the members shown"),
          Field("changes", &Reply::changes, "what changed after afterSeq, at most 200"),
          Field("reset", &Reply::reset, "true: too much changed, start afresh from this reply"));
    }
  };
};

struct ThreadClose {
  static constexpr std::string_view kName = "thread.close";
  static constexpr OpKind kKind = OpKind::kSession;
  static constexpr std::string_view kDoc = "ends the subscription of thread.open";
  using Args = ThreadIdArgs;
  using Reply = Empty;
};

struct ThreadChanges {
  static constexpr std::string_view kName = "thread.changes";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "what changed after a seq, each item once in its latest state";
  struct Args {
    ThreadId thread_id;
    Seq after_seq;
    std::optional<PageLimit> limit;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("afterSeq", &Args::after_seq, "last seq held"),
                        Field("limit", &Args::limit, "200 if not given"));
    }
  };
  struct Reply {
    EncodedListOf<ChangeItem> changes;
    int64_t last_seq = 0;
    bool more = false;
    Omit<bool> reset;
    static constexpr auto Fields() {
      return std::tuple(Field("changes", &Reply::changes, "in order of seq"),
                        Field("lastSeq", &Reply::last_seq, "of the thread"),
                        Field("more", &Reply::more, "go on from the last change's seq"),
                        Field("reset", &Reply::reset, "true: afterSeq is above lastSeq"));
    }
  };
};

struct ThreadUpdate {
  static constexpr std::string_view kName = "thread.update";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "changes a thread's own fields";
  struct Args {
    ThreadId thread_id;
    Seq version;
    Clearable<Text<200>> subject;
    Clearable<Text<100>> city;
    std::optional<bool> safe_mode_required;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("version", &Args::version, "the version this change is based on"),
                        Field("subject", &Args::subject, "null clears"),
                        Field("city", &Args::city, "null clears"),
                        Field("safeModeRequired", &Args::safe_mode_required, "Safe-Mode can not be lifted"));
    }
  };
  using Reply = ThreadReply;
};

struct ThreadPromote {
  static constexpr std::string_view kName = "thread.promote";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "service or staff: makes an inquiry a project bound to a leg or an LBG";
  struct Args {
    ThreadId thread_id;
    std::optional<LbgId> lbg_id;
    std::optional<LegId> leg_id;
    ClientId event_id;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("lbgId", &Args::lbg_id, "bind to this LBG"),
                        Field("legId", &Args::leg_id, "bind to this leg"),
                        Field("eventId", &Args::event_id, "replaying it changes nothing"));
    }
  };
  using Reply = ThreadReply;
};

struct ThreadSetStatus {
  static constexpr std::string_view kName = "thread.setStatus";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "staff: archives, locks or reopens a thread";
  struct Args {
    ThreadId thread_id;
    ThreadStatus status = ThreadStatus::kOpen;
    Text<1000> reason;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("status", &Args::status, "the new status"),
                        Field("reason", &Args::reason, "kept for audit"));
    }
  };
  using Reply = ThreadReply;
};

struct ThreadByProject {
  static constexpr std::string_view kName = "thread.byProject";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "threads of an LBG or a leg in createdAt order (GSI2)";
  struct Args {
    std::optional<LbgId> lbg_id;
    std::optional<LegId> leg_id;
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr auto Fields() {
      return std::tuple(
          Field("lbgId", &Args::lbg_id, "either this"), Field("legId", &Args::leg_id, "or this"),
          Field("cursor", &Args::cursor, "go on from here"), Field("limit", &Args::limit, "25 if not given"));
    }
  };
  struct Reply {
    EncodedListOf<Thread> threads;
    std::optional<std::string> cursor;
    static constexpr auto Fields() {
      return std::tuple(Field("threads", &Reply::threads, "oldest first"),
                        Field("cursor", &Reply::cursor, "null at the end"));
    }
  };
};

// --- participants

struct ParticipantReply {
  EncodedOf<Participant> participant;
  static constexpr auto Fields() {
    return std::tuple(Field("participant", &ParticipantReply::participant, "the participant"));
  }
};
struct ParticipantArgs {
  ThreadId thread_id;
  UserId user_id;
  std::optional<RoleContext> role_context;
  std::optional<Permission> permission;
  static constexpr auto Fields() {
    using T = ParticipantArgs;
    return std::tuple(Field("threadId", &T::thread_id, "the thread"), Field("userId", &T::user_id, "who"),
                      Field("roleContext", &T::role_context, "in which role"),
                      Field("permission", &T::permission, "what is allowed"));
  }
};

struct ParticipantAdd {
  static constexpr std::string_view kName = "participant.add";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "owners, services and staff: adds a member; harmless if he is one";
  using Args = ParticipantArgs;
  using Reply = ParticipantReply;
};
struct ParticipantRemove {
  static constexpr std::string_view kName = "participant.remove";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "owners, services and staff: removes a member; anyone may remove himself";
  struct Args {
    ThreadId thread_id;
    UserId user_id;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("userId", &Args::user_id, "who"));
    }
  };
  using Reply = ParticipantReply;
};
struct ParticipantUpdate {
  static constexpr std::string_view kName = "participant.update";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "owners, services and staff: changes role or permission";
  using Args = ParticipantArgs;
  using Reply = ParticipantReply;
};
struct ParticipantList {
  static constexpr std::string_view kName = "participant.list";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "members in order of userId";
  struct Args {
    ThreadId thread_id;
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("cursor", &Args::cursor, "go on from here"),
                        Field("limit", &Args::limit, "50 if not given"));
    }
  };
  struct Reply {
    EncodedListOf<Participant> participants;
    std::optional<std::string> cursor;
    static constexpr auto Fields() {
      return std::tuple(Field("participants", &Reply::participants, "in order of userId"),
                        Field("cursor", &Reply::cursor, "null at the end"));
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
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("muted", &Args::muted, "on or off"),
                        Field("until", &Args::until, "when the mute ends; null: never"));
    }
  };
  using Reply = EntryReply;
};

// --- messages

struct MessageSend {
  static constexpr std::string_view kName = "message.send";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "answered when the message is on disk; idempotent on (thread, author, clientId)";
  struct Args {
    ThreadId thread_id;
    ClientId client_id;
    SendType type = SendType::kText;
    Body body;
    std::optional<List<Attachment, 20>> attachments;
    std::optional<MessageId> reply_to;
    std::optional<Bounded<0, 2>> nsfw_band;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("clientId", &Args::client_id, "makes a repeat answer the first result"),
                        Field("type", &Args::type, "text or asset"),
                        Field("body", &Args::body, "markdown, at most maxBodyBytes"),
                        Field("attachments", &Args::attachments, "files shown with it"),
                        Field("replyTo", &Args::reply_to, "the message it answers"),
                        Field("nsfwBand", &Args::nsfw_band, "0 safe, 1 suggestive, 2 mature"));
    }
  };
  struct Reply {
    MessageId message_id;
    Time created_at;
    int64_t seq = 0, msg_no = 0;
    bool duplicate = false;
    Omit<Json> nudge;
    static constexpr auto Fields() {
      return std::tuple(Field("messageId", &Reply::message_id, "the message"),
                        Field("createdAt", &Reply::created_at, "when it was taken"),
                        Field("seq", &Reply::seq, "of its creation"),
                        Field("msgNo", &Reply::msg_no, "its place"),
                        Field("duplicate", &Reply::duplicate, "true: answered from the first result"),
                        Field("nudge", &Reply::nudge, "a hint on the text policy"));
    }
  };
};

struct MessageList {
  static constexpr std::string_view kName = "message.list";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "a page of messages: newest first, or oldest first with `after`";
  struct Args {
    ThreadId thread_id;
    std::optional<std::string> before;
    std::optional<std::string> after;
    std::optional<PageLimit> limit;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("before", &Args::before, "a cursor or a messageId, exclusive"),
                        Field("after", &Args::after, "a cursor or a messageId, exclusive; not with before"),
                        Field("limit", &Args::limit, "50 if not given"));
    }
  };
  struct Reply {
    EncodedListOf<Message> messages;
    std::optional<std::string> cursor;
    static constexpr auto Fields() {
      return std::tuple(Field("messages", &Reply::messages, "the page"),
                        Field("cursor", &Reply::cursor, "goes back into the same argument; null at the end"));
    }
  };
};

struct MessageEdit {
  static constexpr std::string_view kName = "message.edit";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc = "the author within editWindowMs, staff any time with a reason";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    Body body;
    std::optional<Text<1000>> reason;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("messageId", &Args::message_id, "the message"),
                        Field("body", &Args::body, "the new text"),
                        Field("reason", &Args::reason, "staff: why"));
    }
  };
  using Reply = MessageReply;
};

struct MessageDelete {
  static constexpr std::string_view kName = "message.delete";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "the author within editWindowMs, staff any time with a reason; the frame keeps its place";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    std::optional<Text<1000>> reason;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("messageId", &Args::message_id, "the message"),
                        Field("reason", &Args::reason, "staff: why"));
    }
  };
  using Reply = MessageReply;
};

// --- ephemeral

struct TypingSet {
  static constexpr std::string_view kName = "typing.set";
  static constexpr OpKind kKind = OpKind::kSession;
  static constexpr std::string_view kDoc = "tells the others in an opened thread; lapses after typingTtlMs";
  struct Args {
    ThreadId thread_id;
    bool typing = false;
    static constexpr auto Fields() {
      return std::tuple(Field("threadId", &Args::thread_id, "the thread"),
                        Field("typing", &Args::typing, "on or off"));
    }
  };
  using Reply = Empty;
};

struct PresenceGet {
  static constexpr std::string_view kName = "presence.get";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "who is online";
  struct Args {
    List<UserId, 200> user_ids;
    static constexpr auto Fields() { return std::tuple(Field("userIds", &Args::user_ids, "at most 200")); }
  };
  struct Reply {
    List<PresenceItem, 200> presence;
    static constexpr auto Fields() {
      return std::tuple(Field("presence", &Reply::presence, "in the order asked"));
    }
  };
};

template <class... Ops>
struct OpList {};
using AllOps = OpList<SessionHello, SessionPing, SessionRefresh, ThreadCreate, ThreadGet, ThreadOpen,
                      ThreadClose, ThreadChanges, ThreadUpdate, ThreadPromote, ThreadSetStatus,
                      ThreadByProject, ParticipantAdd, ParticipantRemove, ParticipantUpdate, ParticipantList,
                      ParticipantMute, InboxList, InboxCounts, InboxExplain, InboxSet, ReadMark, MessageSend,
                      MessageList, MessageEdit, MessageDelete, MessageReact, MessagePin, TabGet, TabPut,
                      ThreadSchedule, ThreadBroadcast, CardCreate, CardAct, CardList, CardResolve, OutboxList,
                      OutboxAck, ModerationAudit, MessageHistory, TypingSet, PresenceGet>;

template <class F, class... Ops>
void ForEachOp(OpList<Ops...>, F&& f) {
  (f.template operator()<Ops>(), ...);
}

}  // namespace parley::protocol
