#include "gateway/ops/router.h"

#include <set>
#include <unordered_map>

#include "accounts/contacts/blocks.h"
#include "accounts/contacts/contact_filter.h"
#include "accounts/users/user_names.h"
#include "fanout/index_reads.h"
#include "fanout/shared_threads.h"
#include "gateway/app/cold_reads.h"
#include "gateway/ops/audit_ops.h"
#include "gateway/ops/broadcast.h"
#include "gateway/ops/case_guard.h"
#include "gateway/ops/moderation_ops.h"
#include "gateway/ops/people_ops.h"
#include "gateway/ops/record_ops.h"
#include "gateway/ops/refused_starts.h"
#include "gateway/ops/text_policies.h"
#include "protocol/base/reason.h"
#include "protocol/compact.h"
#include "threads/cards/card_reads.h"
#include "threads/commands.h"
#include "threads/inbox/explain_inbox.h"
#include "threads/judge/run_judged.h"
#include "threads/lifecycle/thread_reads.h"
#include "threads/members/participant_reads.h"
#include "threads/messages/message_reads.h"
#include "threads/panel/panel_reads.h"
#include "threads/staff/access_log.h"
#include "threads/staff/message_history.h"
#include "threads/staff/thread_audit.h"

namespace parley::gateway {
namespace {

using fanout::ProjectionId;
using protocol::Error;
using protocol::OpKind;
using protocol::Reason;
using threads::Caller;
using threads::ReadAnswer;
using threads::ReadContext;

// --- reads: one overload per op, on whichever thread

using FolderSet = uint32_t;  // those that the server offers; see Node::folders

template <class Op>
struct As {};

ReadAnswer Read(As<protocol::ThreadGet>, FolderSet, const ReadContext& c, const auto& args) {
  return threads::GetThread(c, args);
}
ReadAnswer Read(As<protocol::ThreadChanges>, FolderSet, const ReadContext& c, const auto& args) {
  return threads::ListChanges(c, args);
}
ReadAnswer Read(As<protocol::ParticipantList>, FolderSet, const ReadContext& c, const auto& args) {
  return threads::ListParticipants(c, args);
}
ReadAnswer Read(As<protocol::MessageList>, FolderSet, const ReadContext& c, const auto& args) {
  return threads::ListMessages(c, args);
}
ReadAnswer Read(As<protocol::TabGet>, FolderSet, const ReadContext& c, const auto& args) {
  return threads::GetTab(c, args);
}
ReadAnswer Read(As<protocol::CardList>, FolderSet, const ReadContext& c, const auto& args) {
  return threads::ListCards(c, args);
}
ReadAnswer Read(As<protocol::MessageHistory>, FolderSet, const ReadContext& c, const auto& args) {
  return threads::ListHistory(c, args);
}
ReadAnswer Read(As<protocol::OutboxList>, FolderSet, const ReadContext& c, const auto& args) {
  return fanout::ListOutbox(c, args);
}
ReadAnswer Read(As<protocol::InboxExplain>, FolderSet, const ReadContext& c, const auto& args) {
  return threads::ExplainInbox(c, args);
}
ReadAnswer Read(As<protocol::InboxList>, FolderSet folders, const ReadContext& c,
                const protocol::InboxList::Args& args) {
  const auto folder = static_cast<unsigned>(args.folder.value_or(protocol::Folder::kAll));
  if (!(folders & (1u << folder))) return Error::BadField("folder", "is not offered by this server");
  return fanout::ListInbox(c, args);
}
ReadAnswer Read(As<protocol::ThreadByProject>, FolderSet, const ReadContext& c, const auto& args) {
  return fanout::ListByProject(c, args);
}

// Answered by accounts/, which reads records instead of threads' rows.
ReadAnswer Read(As<protocol::UserGet>, const accounts::RecordReads& records, const auto& args) {
  PARLEY_TRY(reply, accounts::NamesOf(records, args.user_ids.items));
  return protocol::Encode(reply);
}

ReadAnswer ListBlocks(const accounts::RecordReads& records, const ReadContext& c,
                      const protocol::UserBlocks::Args& args) {
  const std::string query(protocol::UserBlocks::kName);
  if (!c.caller.user) return ErrorFor(Reason::kOnlyUsers, "only users block each other");
  std::optional<protocol::UserId> after;
  if (args.cursor) {
    const auto position = c.cursors.Open(c.caller, query, *args.cursor);
    if (position) after = protocol::UserId::FromText(*position);
    if (!after) return Error::BadField("cursor", "is not a cursor of this query");
  }
  const auto limit = static_cast<size_t>(args.limit ? args.limit->value : 50);
  PARLEY_TRY(page, accounts::ListBlocks(records, *c.caller.user, after, limit));
  protocol::UserBlocks::Reply reply;
  if (page.more && !page.items.empty())
    reply.cursor = c.cursors.Seal(c.caller, query, page.items.back().user_id.ToText());
  reply.items.items = std::move(page.items);
  return protocol::Encode(reply);
}

// What a read asks of the loop's own memory, before it goes anywhere. Of most ops: nothing.
struct Nothing {};
template <class Op>
Nothing Note(As<Op>, IoThread&, const Caller&, const typename Op::Args&) {
  return {};
}
using OnlineUsers = std::set<protocol::UserId>;
OnlineUsers Note(As<protocol::PresenceGet>, IoThread& io, const Caller& caller,
                 const protocol::PresenceGet::Args& args) {
  OnlineUsers online;
  for (const protocol::UserId& user : args.user_ids.items) {
    if (io.ephemera().IsOnline(caller.tenant, user)) online.insert(user);
  }
  return online;
}

template <class Op>
ReadAnswer Make(As<Op> op, const Node& node, const ReadContext& c, const typename Op::Args& args, Nothing) {
  const accounts::RecordReads records(c.snapshot, c.caller.tenant, c.now, node.sealer());
  if constexpr (std::is_same_v<Op, protocol::UserGet>) {
    return Read(op, records, args);
  } else if constexpr (requires { ReadModeration(c, records, args); }) {
    return ReadModeration(c, records, args);
  } else {
    return Read(op, node.FoldersOf(c.caller.tenant), c, args);
  }
}
ReadAnswer Make(As<protocol::ThreadAudit>, const Node& node, const ReadContext& c,
                const protocol::ThreadAudit::Args& args, Nothing) {
  const accounts::RecordReads records(c.snapshot, c.caller.tenant, c.now, node.sealer());
  features::HiddenCases hidden(records, c.caller.is_staff() ? c.caller.user : std::nullopt);
  return threads::ListAudit(c, args, [&hidden](const std::string& id) { return hidden.Contain(id); });
}
ReadAnswer Make(As<protocol::UserBlocks>, const Node& node, const ReadContext& c,
                const protocol::UserBlocks::Args& args, Nothing) {
  return ListBlocks(accounts::RecordReads(c.snapshot, c.caller.tenant, c.now, node.sealer()), c, args);
}
// What is shown of credits and starts is what is enforced.
ReadAnswer Make(As<protocol::InboxCounts>, const Node& node, const ReadContext& c,
                const protocol::InboxCounts::Args&, Nothing) {
  PARLEY_TRY(reply, fanout::CountFolders(c, node.FoldersOf(c.caller.tenant)));
  PARLEY_TRY(credits, node.contacts().CountOf({c.snapshot, c.now}, c.caller));
  reply.credits.value = credits;
  PARLEY_TRY(starts, node.rate_limits().StartsOf(c.snapshot, c.caller, c.now));
  reply.rate_limit.value = starts;
  return protocol::Encode(reply);
}
ReadAnswer Make(As<protocol::ContactFilterGet>, const Node& node, const ReadContext& c,
                const protocol::ContactFilterGet::Args&, Nothing) {
  if (!c.caller.user) return ErrorFor(Reason::kOnlyUsers, "a filter is a user's");
  PARLEY_TRY(filter,
             accounts::FindContactFilter(
                 accounts::RecordReads(c.snapshot, c.caller.tenant, c.now, node.sealer()), *c.caller.user));
  return protocol::Encode(FilterReplyOf(filter));
}
ReadAnswer Make(As<protocol::PresenceGet>, const Node&, const ReadContext& c,
                const protocol::PresenceGet::Args& args, OnlineUsers online) {
  PARLEY_TRY(shown, fanout::WhoseToSee(c, std::move(online)));
  protocol::PresenceGet::Reply reply;
  for (const protocol::UserId& user : args.user_ids.items) {
    bool seen = shown.contains(user);
    if (seen && c.caller.user) {
      PARLEY_TRY(blocked, threads::AreBlocked(c, *c.caller.user, user));
      seen = !blocked;
    }
    reply.presence.items.push_back({user, seen});
  }
  return protocol::Encode(reply);
}

// Which projection a read waits for, so that it includes everything acknowledged; if any.
template <class Op>
constexpr std::optional<ProjectionId> kProjectionOf = std::nullopt;
template <>
constexpr std::optional<ProjectionId> kProjectionOf<protocol::InboxList> = ProjectionId::kInbox;
template <>
constexpr std::optional<ProjectionId> kProjectionOf<protocol::PresenceGet> = ProjectionId::kInbox;
template <>
constexpr std::optional<ProjectionId> kProjectionOf<protocol::InboxCounts> = ProjectionId::kInbox;
template <>
constexpr std::optional<ProjectionId> kProjectionOf<protocol::ThreadByProject> = ProjectionId::kProject;
template <>
constexpr std::optional<ProjectionId> kProjectionOf<protocol::ModerationThreads> = ProjectionId::kInbox;
template <>
constexpr std::optional<ProjectionId> kProjectionOf<protocol::OutboxList> = ProjectionId::kCards;
// A second one. Threads of a project are found among the caller's own where those are fewer.
template <class Op>
constexpr std::optional<ProjectionId> kAlsoProjectionOf = std::nullopt;
template <>
constexpr std::optional<ProjectionId> kAlsoProjectionOf<protocol::ThreadByProject> = ProjectionId::kInbox;

template <class Op>
void AnswerRead(IoThread& io, const Caller& caller, typename Op::Args args, const ReadRoad& road, Done done) {
  if (!io.MakeRoom()) return done(NoRoom());
  auto noted = Note(As<Op>{}, io, caller, args);
  ReadAnywhere<std::string>(
      io, road,
      [&node = std::as_const(io.node()), caller, args = std::move(args),
       noted = std::move(noted)](const storage::Reader& reader) {
        return Make(As<Op>{}, node, ContextOf(node, reader, caller), args, noted);
      },
      std::move(done));
}

template <class Op>
void AwaitAndRead(IoThread& io, const Caller& caller, typename Op::Args args, const ReadRoad& road,
                  Done done) {
  if constexpr (!kProjectionOf<Op>) {
    AnswerRead<Op>(io, caller, std::move(args), road, std::move(done));
  } else {
    io.AwaitProjection(*kProjectionOf<Op>, [&io, caller, args = std::move(args), road,
                                            done = std::move(done)](bool reached) {
      if (!reached) return done(IndexBehind());
      if constexpr (!kAlsoProjectionOf<Op>) {
        AnswerRead<Op>(io, caller, args, road, done);
      } else {
        io.AwaitProjection(*kAlsoProjectionOf<Op>, [&io, caller, args, road, done](bool both) {
          if (!both) return done(IndexBehind());
          AnswerRead<Op>(io, caller, args, road, done);
        });
      }
    });
  }
}

template <class Op>
void RouteRead(IoThread& io, const Caller& caller, typename Op::Args args, const ReadRoad& road, Done done) {
  if constexpr (requires { requires std::is_same_v<decltype(args.thread_id), protocol::ThreadId>; }) {
    if (caller.is_staff()) {
      const protocol::ThreadId thread = args.thread_id;
      return RecordAccess(
          io, caller, thread, Op::kName,
          [&io, caller, args = std::move(args), road, done = std::move(done)](Answer recorded) {
            if (!recorded.ok()) return done(std::move(recorded));
            AnswerRead<Op>(io, caller, args, road, done);
          });
    }
  }
  if constexpr (std::is_same_v<Op, protocol::ModerationThreads> ||
                std::is_same_v<Op, protocol::ThreadByProject>) {
    // It shows threads of which staff have named none, which is a look. Whoever is bound to cases sees only
    // their own ones of a project.
    constexpr bool always = std::is_same_v<Op, protocol::ModerationThreads>;
    if (caller.is_staff() && (always || caller.sees_all())) {
      std::optional<protocol::UserId> about;
      if constexpr (always) about = args.user_id;
      return RecordStaffAccess(io, caller, Op::kName, about,
                               [&io, caller, args, road, done](const protocol::Status& recorded) {
                                 if (!recorded.ok()) return done(recorded.error());
                                 AwaitAndRead<Op>(io, caller, args, road, done);
                               });
    }
  }
  AwaitAndRead<Op>(io, caller, std::move(args), road, std::move(done));
}

// --- writes: the command whose Op it is

template <class Op, class List>
struct CommandOf;
template <class Op, class First, class... Rest>
struct CommandOf<Op, threads::CommandList<First, Rest...>> {
  using type = typename std::conditional_t<std::is_same_v<Op, typename First::Op>, std::type_identity<First>,
                                           CommandOf<Op, threads::CommandList<Rest...>>>::type;
};
template <class Op>
struct CommandOf<Op, threads::CommandList<>> {
  static_assert(sizeof(Op) == 0, "a write op without a command in threads/commands.h");
};

// Of a write that was refused already, unless it is a repeat.
using Refusal = std::optional<Error>;

template <class Args>
std::optional<protocol::ThreadId> ThreadOf(const Args& args) {
  if constexpr (requires { args.thread_id; }) return args.thread_id;
  return std::nullopt;
}

// What is in the texts of a request is looked for here, where nobody waits for it but its own session.
template <class Op>
threads::ExaminedPtr ExamineArgs(IoThread& io, const Caller& caller, const typename Op::Args& args) {
  if (!threads::HasShownText<Op>() || !HasTextPolicy(io, caller)) return nullptr;
  return ExamineTexts(io, caller, threads::TextsOf<Op>(args));
}

template <class Op>
void RouteWrite(IoThread& io, const Caller& caller, typename Op::Args args, const Refusal& refusal,
                Done done) {
  using Command = typename CommandOf<Op, threads::AllCommands>::type;
  threads::Job job;
  job.tenant = caller.tenant;
  job.thread = ThreadOf(args);
  job.refusal = refusal;
  if (auto examined = ExamineArgs<Op>(io, caller, args)) {
    // An answer that is an error although something is committed: the author's strikes.
    auto outcome = std::make_shared<threads::Outcome>();
    job.decide = [caller, args = std::move(args), examined = std::move(examined),
                  outcome](threads::Transaction& tx) {
      return threads::RunJudged<Command>(tx, caller, args, examined, outcome.get());
    };
    job.done = [&io, caller, outcome, done = std::move(done)](Answer answer) {
      if (answer.ok() && outcome->refusal) answer = *outcome->refusal;
      if (!outcome->later) return done(std::move(answer));
      KeepRefusedStart(io, caller, *std::move(outcome->later), [answer, done] { done(answer); });
    };
  } else {
    job.decide = [&node = std::as_const(io.node()), caller, args = std::move(args)](
                     threads::Transaction& tx) { return RunGuarded<Command>(tx, node, caller, args); };
    job.done = std::move(done);
  }
  io.Submit(std::move(job));
}

// --- the table

struct Entry {
  OpInfo info;
  protocol::Status (*check)(const protocol::Value&);
  void (*route)(IoThread&, const Caller&, const protocol::Value&, const ReadRoad&, const Refusal&, Done);
};

template <class Op>
protocol::Status Check(const protocol::Value& value) {
  typename Op::Args args;
  return protocol::Bind(value, &args);
}

template <class Op>
void BindAndRoute(IoThread& io, const Caller& caller, const protocol::Value& value, const ReadRoad& road,
                  const Refusal& refusal, Done done) {
  typename Op::Args args;
  if (auto bound = protocol::Bind(value, &args); !bound.ok()) return done(std::move(bound.error()));
  if constexpr (std::is_same_v<Op, protocol::ThreadBroadcast>) {  // spans partitions: several commands
    RouteBroadcast(io, caller, std::move(args), refusal, std::move(done));
  } else if constexpr (requires { RouteRecords(io, caller, args, done); }) {  // records come first
    RouteRecords(io, caller, std::move(args), std::move(done));
  } else if constexpr (std::is_same_v<Op, protocol::ModerationAudit>) {  // the look may be of no thread
    RouteAudit(io, caller, std::move(args), road, std::move(done));
  } else if constexpr (Op::kKind == OpKind::kRead) {
    RouteRead<Op>(io, caller, std::move(args), road, std::move(done));
  } else if constexpr (WritesRecords<Op>) {
    WriteRecords(OpTag<Op>{}, io, caller, args, std::move(done));
  } else if constexpr (std::is_same_v<Op, protocol::RequestBlock>) {
    RouteWrite<Op>(io, caller, std::move(args), refusal,
                   [&io, caller, done = std::move(done)](Answer answered) {
                     if (!answered.ok()) return done(std::move(answered));
                     BlockWhoAsked(io, caller, *answered, done);
                   });
  } else if constexpr (std::is_same_v<Op, protocol::ThreadCreate>) {
    // Who is a stranger is told by the index of inboxes: it is to know of what was acknowledged. Where it is
    // late, it is asked as it is.
    if (!io.node().contacts().Of(caller.tenant).enabled)
      return RouteWrite<Op>(io, caller, std::move(args), refusal, std::move(done));
    io.AwaitProjection(ProjectionId::kInbox,
                       [&io, caller, args = std::move(args), refusal, done = std::move(done)](bool) {
                         RouteWrite<Op>(io, caller, args, refusal, done);
                       });
  } else {
    RouteWrite<Op>(io, caller, std::move(args), refusal, std::move(done));
  }
}

template <class Op>
Entry EntryFor() {
  constexpr bool takes_client_id = requires(typename Op::Args args) {
    args.client_id;
  };
  if constexpr (Op::kKind == OpKind::kSession) {
    return {{Op::kKind, takes_client_id, false, protocol::ReplyShape(Op::kName)}, nullptr, nullptr};
  } else {
    constexpr bool awaits = kProjectionOf<Op>.has_value() || std::is_same_v<Op, protocol::ModerationAudit>;
    return {
        {Op::kKind, takes_client_id, awaits, protocol::ReplyShape(Op::kName)}, &Check<Op>, &BindAndRoute<Op>};
  }
}

const std::unordered_map<std::string_view, Entry>& Table() {
  static const auto table = [] {
    std::unordered_map<std::string_view, Entry> out;
    protocol::ForEachOp(protocol::AllOps{}, [&]<class Op>() {
      Entry entry = EntryFor<Op>();
      entry.info.index = out.size();
      out.emplace(Op::kName, entry);
    });
    return out;
  }();
  return table;
}

}  // namespace

void RecordAccess(IoThread& io, const threads::Caller& caller, const protocol::ThreadId& thread,
                  std::string_view op, Done done, std::string reason) {
  threads::Job job;
  job.tenant = caller.tenant;
  job.thread = thread;
  job.decide = [caller, thread, op, reason = std::move(reason)](threads::Transaction& tx) {
    return threads::RecordAccess(tx, caller, thread, op, reason);
  };
  job.done = std::move(done);
  io.Submit(std::move(job));
}

const OpInfo* FindOp(std::string_view op) {
  const auto found = Table().find(op);
  return found == Table().end() ? nullptr : &found->second.info;
}

protocol::Status CheckArgs(std::string_view op, const protocol::Value& args) {
  return Table().find(op)->second.check(args);
}

void Route(IoThread& io, std::string_view op, const Caller& caller, const protocol::Value& args,
           const ReadRoad& road, Done done) {
  Table().find(op)->second.route(io, caller, args, road, {}, std::move(done));
}

void RouteRepeat(IoThread& io, std::string_view op, const Caller& caller, const protocol::Value& args,
                 Error refusal, Done done) {
  Table().find(op)->second.route(io, caller, args, io.road(caller.tenant), std::move(refusal),
                                 std::move(done));
}

void Route(IoThread& io, std::string_view op, const Caller& caller, const protocol::Value& args, Done done) {
  Route(io, op, caller, args, io.road(caller.tenant), std::move(done));
}

}  // namespace parley::gateway
