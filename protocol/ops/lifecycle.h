// Ops on a thread as a whole: creating, changing, opening and reading it, and catching up with it.
#pragma once

#include "protocol/events.h"
#include "protocol/ops/base.h"
#include "protocol/people.h"
#include "protocol/states.h"

namespace parley::protocol {

struct NewParticipant {
  UserId user_id;
  std::optional<RoleContext> role_context;
  static constexpr void Fields(auto& field) {
    using T = NewParticipant;
    field("userId", &T::user_id, "the user to add");
    field("roleContext", &T::role_context,
          "inquiries and projects: buyer if not given; direct threads and groups: member");
  }
};

inline constexpr size_t kMaxParticipants = 10'000;  // members of one thread
inline constexpr size_t kMaxNamed = 500;  // named in one thread.create: each is a row and an event to all

struct ThreadCreate {
  static constexpr std::string_view kName = "thread.create";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "starts a thread; idempotent on (creator, clientId). A pair has one direct thread: a second create "
      "returns it and sends firstMessage there";
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
    Omit<Json> contact;
    static constexpr void Fields(auto& field) {
      field("kind", &Args::kind,
            "inquiry or project, between a buyer and a seller; direct, between the creator and exactly one "
            "other; group");
      field("subtype", &Args::subtype, "invite: the buyer asks several sellers at once; inquiries only");
      field("buyerUserId", &Args::buyer_user_id, "the buyer; inquiries and projects only, which need one");
      field("sellerUserId", &Args::seller_user_id, "the seller; inquiries and projects only, which need one");
      field("participants", &Args::participants,
            "further members, at most limits.maxNamedParticipants; add more by participant.add");
      field("subject", &Args::subject, "the subject");
      field("role", &Args::role,
            "the seller's role; one open inquiry per buyer, seller and role, and one without");
      field("lbgId", &Args::lbg_id, "linked booking group");
      field("legId", &Args::leg_id, "leg");
      field("city", &Args::city, "city");
      field("safeModeRequired", &Args::safe_mode_required, "Safe-Mode cannot be lifted");
      field("brief", &Args::brief, "content of the brief tab; not for direct threads and groups");
      field("firstMessage", &Args::first_message, "body of the first message");
      field("clientId", &Args::client_id,
            "makes a repeat return the same thread, and send firstMessage only once");
      field("contact", &Args::contact,
            "answers to a stranger's contact filter: a map by the names of the filter's fields; `city` and "
            "`brief` count, too");
    }
  };
  struct Reply {
    EncodedOf<Thread> thread;
    EncodedListOf<Participant> participants;
    Omit<MessageRequest> request;
    static constexpr void Fields(auto& field) {
      field("thread", &Reply::thread, "the thread");
      field("participants", &Reply::participants, "its members");
      field("request", &Reply::request, "the message request, if one was opened");
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
    static constexpr void Fields(auto& field) {
      field("thread", &Reply::thread, "the thread");
      field("participants", &Reply::participants, "the first 100 members; participant.list has all");
      field("me", &Reply::me, "the caller's own membership; null for staff and services");
      field("tabs", &Reply::tabs, "the panel");
      field("lastSeq", &Reply::last_seq, "seq of the newest change");
    }
  };
};

struct ChangeItem {
  int64_t seq = 0;
  ChangeKind kind = ChangeKind::kThread;
  Encoded item;
  static constexpr void Fields(auto& field) {
    using T = ChangeItem;
    field("seq", &T::seq, "seq of the item's last change");
    field("kind", &T::kind, "the item's kind");
    field("item", &T::item, "the item in its latest state");
  }
};

struct ThreadOpen {
  static constexpr std::string_view kName = "thread.open";
  static constexpr OpKind kKind = OpKind::kSession;
  static constexpr std::string_view kDoc =
      "reads a thread for display, and subscribes to typing and presence in it";
  struct Args {
    ThreadId thread_id;
    std::optional<Seq> after_seq;
    std::optional<PageLimit> limit;
    std::optional<Text<1000>> reason;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("afterSeq", &Args::after_seq, "also return changes after this seq");
      field("limit", &Args::limit, "messages, 50 if not given");
      field("reason", &Args::reason, "staff: the reason for looking; kept for audit");
    }
  };
  struct Reply {
    EncodedOf<Thread> thread;
    EncodedListOf<Participant> participants;
    std::optional<Me> me;
    EncodedListOf<Tab> tabs;
    int64_t last_seq = 0;
    EncodedListOf<Message> messages;
    EncodedListOf<Card> cards;
    std::optional<std::string> cursor;
    List<PresenceItem, kListedParticipants> presence;
    Omit<EncodedListOf<ChangeItem>> changes;
    Omit<bool> reset;
    static constexpr void Fields(auto& field) {
      field("thread", &Reply::thread, "the thread");
      field("participants", &Reply::participants, "the first 100 members");
      field("me", &Reply::me, "the caller's own membership");
      field("tabs", &Reply::tabs, "the panel");
      field("lastSeq", &Reply::last_seq, "everything here is as of this seq");
      field("messages", &Reply::messages, "newest first");
      field("cards", &Reply::cards,
            "the open cards that the caller may see, newest first, each with the caller's possible intents");
      field("cursor", &Reply::cursor, "for message.list's `before`; null at the end");
      field("presence", &Reply::presence, "the listed members' presence");
      field("changes", &Reply::changes, "changes after afterSeq, at most 200");
      field("reset", &Reply::reset, "true: too much changed; start over from this reply");
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
  static constexpr std::string_view kDoc = "changes after a seq, each item once in its latest state";
  struct Args {
    ThreadId thread_id;
    Seq after_seq;
    std::optional<PageLimit> limit;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("afterSeq", &Args::after_seq, "the last seq that the client holds");
      field("limit", &Args::limit, "200 if not given");
    }
  };
  struct Reply {
    EncodedListOf<ChangeItem> changes;
    int64_t last_seq = 0;
    bool more = false;
    Omit<bool> reset;
    static constexpr void Fields(auto& field) {
      field("changes", &Reply::changes, "in order of seq");
      field("lastSeq", &Reply::last_seq, "the thread's");
      field("more", &Reply::more, "continue from the last change's seq");
      field("reset", &Reply::reset, "true: afterSeq is above lastSeq");
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
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("version", &Args::version, "the version this change is based on");
      field("subject", &Args::subject, "null clears");
      field("city", &Args::city, "null clears");
      field("safeModeRequired", &Args::safe_mode_required, "Safe-Mode cannot be lifted");
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
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("lbgId", &Args::lbg_id, "bind to this LBG");
      field("legId", &Args::leg_id, "bind to this leg");
      field("eventId", &Args::event_id, "replaying it changes nothing");
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
    static constexpr void Fields(auto& field) {
      field("lbgId", &Args::lbg_id, "either this");
      field("legId", &Args::leg_id, "or this");
      field("cursor", &Args::cursor, "continue from here");
      field("limit", &Args::limit, "25 if not given");
    }
  };
  struct Reply {
    EncodedListOf<Thread> threads;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("threads", &Reply::threads, "oldest first");
      field("cursor", &Reply::cursor, "null at the end");
    }
  };
};

struct ThreadSetBooking {
  static constexpr std::string_view kName = "thread.setBooking";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "service: sets whether the project's booking is live; while it is, blocks do not keep the two from "
      "talking";
  struct Args {
    ThreadId thread_id;
    BookingState state = BookingState::kLive;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the project");
      field("state", &Args::state, "the booking's state");
    }
  };
  using Reply = ThreadReply;
};

}  // namespace parley::protocol
