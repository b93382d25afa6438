// Ops of a thread as a whole: how it comes into being, changes, is opened, read and caught up with.
#pragma once

#include "protocol/ops/base.h"
#include "protocol/ops/presence.h"

namespace parley::protocol {

struct NewParticipant {
  UserId user_id;
  std::optional<RoleContext> role_context;
  static constexpr auto Fields() {
    using T = NewParticipant;
    return std::tuple(Field("userId", &T::user_id, "who"),
                      Field("roleContext", &T::role_context,
                            "inquiries and projects: buyer if not given; direct threads and groups: member"));
  }
};

inline constexpr size_t kMaxParticipants = 10'000;  // members of one thread
inline constexpr size_t kMaxNamed = 500;  // named in one thread.create: each is a row and an event to all

struct ThreadCreate {
  static constexpr std::string_view kName = "thread.create";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "starts a thread; idempotent on (creator, clientId). A pair has one direct thread: a second create "
      "answers "
      "it and sends firstMessage there";
  struct Args {
    ThreadKind kind = ThreadKind::kInquiry;
    Omit<ThreadSubtype> subtype;
    std::optional<UserId> buyer_user_id;
    std::optional<UserId> seller_user_id;
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
          Field(
              "kind", &Args::kind,
              "inquiry or project, between a buyer and a seller; direct, between the creator and exactly one "
              "other; group"),
          Field("subtype", &Args::subtype,
                "invite: one of several that a buyer asks at once; inquiries only"),
          Field("buyerUserId", &Args::buyer_user_id,
                "the buyer; inquiries and projects only, which need one"),
          Field("sellerUserId", &Args::seller_user_id,
                "the seller; inquiries and projects only, which need one"),
          Field("participants", &Args::participants,
                "further members, at most limits.maxNamedParticipants; more come by participant.add"),
          Field("subject", &Args::subject, "what it is about"),
          Field("role", &Args::role, "the seller's role; one open inquiry per buyer, seller and role"),
          Field("lbgId", &Args::lbg_id, "linked booking group"), Field("legId", &Args::leg_id, "leg"),
          Field("city", &Args::city, "city"),
          Field("safeModeRequired", &Args::safe_mode_required, "Safe-Mode can not be lifted"),
          Field("brief", &Args::brief, "content of the brief tab; not of direct threads and groups"),
          Field("firstMessage", &Args::first_message, "body of the first message"),
          Field("clientId", &Args::client_id,
                "makes a repeat answer the same thread, and send firstMessage once"));
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

}  // namespace parley::protocol
