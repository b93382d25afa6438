// The ops of the session itself: hello, ping, refresh, opening and closing a thread, typing.
#include <algorithm>

#include "features/host/cold_reads.h"
#include "gateway/ws/session.h"
#include "protocol/base/log.h"
#include "protocol/base/reason.h"
#include "threads/lifecycle/thread_reads.h"
#include "threads/model/requests.h"
#include "threads/model/thread_kinds.h"

namespace parley::gateway {

using protocol::Error;
using protocol::ErrorCode;

namespace {
constexpr size_t kSessionOpenedThreadsMax = 1000;  // per session: no client shows more at once
constexpr size_t kSessionTypesInMax = 16;          // in more threads than this, typing lapses after its TTL

// No place becomes free at a known time, so the client should retry now and then.
constexpr int64_t kRetryWhenFullMs = 5'000;

Error SessionTooMany(protocol::Reason reason, const char* of_what) {
  Error error = ErrorFor(reason, of_what);
  error.retry_after_ms = kRetryWhenFullMs;
  return error;
}
}  // namespace

// Safe mode is lifted if the token states that the user is an adult, and the hello asks for it.
void Session::TakeIdentity(Identity identity) {
  identity.caller.mature = wants_mature_ && identity.adult;
  identity_ = std::move(identity);
}

Knock Session::KnockWith(const std::string& credential) const {
  Knock knock;
  knock.credential = credential;
  knock.purpose = accounts::Purpose::kSession;
  knock.origin = visitor_.origin;
  if (connection_) knock.address = connection_->address();
  return knock;
}

// No other request is handled until this is done. Without a connection the caller is still judged, for the
// requests received before it broke.
void Session::Judge(const Ticket& ticket, const Hello& hello) {
  greeting_ = judging_ = true;
  hello_timer_.reset();
  judged_at_ = io_.revocations();
  if (connection_) {
    return Authenticate(io_, road(), KnockWith(visitor_.credential),
                        [weak = weak_from_this(), ticket, hello](protocol::Result<Identity> judged) {
                          const auto self = weak.lock();
                          if (self && self->connection_) self->OnJudged(ticket, hello, std::move(judged));
                        });
  }
  Authenticate(io_, io_.road(), KnockWith(visitor_.credential),
               [self = shared_from_this()](protocol::Result<Identity> judged) {
                 self->OnJudgedUnheard(std::move(judged));
               });
}

void Session::OnJudgedUnheard(protocol::Result<Identity> judged) {
  greeting_ = judging_ = false;
  if (judged.ok() && judged->caller.user) {
    TakeIdentity(*std::move(judged));
    authenticated_ = true;
  } else {
    inbound_.clear();
  }
  if (!winding_up_) WindUp();
}

void Session::OnJudged(const Ticket& ticket, const Hello& hello, protocol::Result<Identity> judged) {
  if (!greeting_) return;
  judging_ = false;
  if (!judged.ok()) return Refuse(ticket, judged.error());
  if (!judged->caller.user)
    return Refuse(ticket, ErrorFor(protocol::Reason::kBadCredential, "only users can open a session"));
  TakeIdentity(*std::move(judged));
  if (!node_.AdmitSession(who().caller))
    return Refuse(ticket,
                  SessionTooMany(protocol::Reason::kTooManySessions, "the user has too many sessions"));
  if (auto room = RequireRoom(); !room.ok()) return Refuse(ticket, room.error());
  Begin(ticket, hello);
}

void Session::Begin(const Ticket& ticket, const Hello& hello) {
  if (!hello->resume) return Welcome(ticket, hello, {});
  ReadAnywhere<CatchUp::Judgement>(
      io_, road(),
      [&node = std::as_const(node_), epoch = node_.table().identity().epoch, caller = who().caller,
       hello](const storage::Reader& reader) {
        return CatchUp::Judge(node.ContextOf(reader, caller), epoch, *hello->resume);
      },
      [weak = weak_from_this(), ticket, hello](protocol::Result<CatchUp::Judgement> judged) {
        const auto self = weak.lock();
        if (!self || !self->greeting_) return;
        if (!judged.ok()) return self->Refuse(ticket, judged.error());
        self->Welcome(ticket, hello, std::move(*judged));
      });
}

void Session::Welcome(const Ticket& ticket, const Hello& hello, CatchUp::Judgement judgement) {
  // A revocation since then is not reflected here, so judge again.
  if (judged_at_ != io_.revocations()) return Judge(ticket, hello);
  greeting_ = false;
  // Other sessions of this user may have been admitted during the read.
  if (!node_.AdmitSession(who().caller))
    return Refuse(ticket,
                  SessionTooMany(protocol::Reason::kTooManySessions, "the user has too many sessions"));
  catch_up_ = std::move(judgement.catch_up);
  probe_.resumed_threads.Add(static_cast<double>(judgement.verdicts.members.size()));
  deliver_ = hello->deliver.value_or(protocol::DeliverMode::kAll);
  compact_ = hello->compact.value_or(false);
  authenticated_ = true;
  state_ = catch_up_.done() ? State::kLive : State::kResuming;
  ArmHeartbeat();
  ArmExpiry();
  probe_.hellos.Add();
  const auto& device = hello->device;
  protocol::Log(protocol::LogLevel::kDebug, "gateway", "session begins",
                {{"session", id_},
                 {"tenant", tenant().ToText()},
                 {"user", user().ToText()},
                 {"device", device ? device->value : std::string()}});
  Finish(ticket, HelloReply(std::move(judgement.verdicts)));
  // The reply is queued; events may follow it from here on.
  io_.hub().Add(this);
  io_.ephemera().Touch(tenant(), user());
  for (const auto& [thread, seq] : catch_up_.left()) LeaveByRows(thread);
  for (const protocol::ThreadId& thread : catch_up_.looks()) LookAgain(thread);
  if (state_ == State::kResuming) StepCatchUp();
}

void Session::OnRevoked(const Revocation& revocation) {
  if (!authenticated_ || state_ == State::kClosing || tenant() != revocation.tenant) return;
  const auto spared = [](const std::string& named, const std::string& own) {
    return !named.empty() && named != own;
  };
  if (revocation.user && *revocation.user != user()) return;
  if (revocation.tokens_only && !who().key_id.empty()) return;
  if (spared(revocation.kid, who().kid) || spared(revocation.family, who().family) ||
      spared(revocation.key_id, who().key_id))
    return;
  CloseWith(revocation.code, revocation.why);
}

std::string Session::HelloReply(protocol::Dictionary<protocol::ResumeVerdict> resumed) const {
  const Config& settings = config();
  protocol::SessionHello::Reply reply;
  reply.resumed = std::move(resumed);
  reply.session_id = id_;
  reply.user_id = user();
  reply.tenant_id = tenant();
  reply.role = protocol::NameOf(who().caller.role);
  reply.server_time = clock().Now();
  reply.epoch = node_.table().identity().epoch;
  reply.heartbeat_ms = settings.heartbeat_ms;
  reply.presence_ttl_ms = settings.presence_ttl_ms;
  reply.typing_ttl_ms = settings.typing_ttl_ms;
  reply.limits.max_frame_bytes = settings.max_frame_bytes;
  reply.limits.max_body_bytes = settings.max_body_bytes;
  reply.limits.max_in_flight = settings.max_in_flight;
  reply.limits.outbox_bytes = settings.outbox_bytes;
  reply.limits.edit_window_ms = settings.edit_window_ms;
  reply.limits.max_page_bytes = settings.max_page_bytes;
  reply.limits.max_resume_threads = protocol::kMaxResumeThreads;
  reply.limits.max_participants = protocol::kMaxParticipants;
  reply.limits.max_named_participants = protocol::kMaxNamed;
  reply.limits.max_open_threads = kSessionOpenedThreadsMax;
  reply.limits.max_sessions = settings.max_sessions_per_user;
  return protocol::Encode(reply);
}

void Session::Own(std::string_view op, const protocol::Value& value, const Done& done) {
  protocol::ForEachOp(protocol::AllOps{}, [&]<class Op>() {
    if constexpr (Op::kKind == protocol::OpKind::kSession) {
      if (op != Op::kName) return;
      typename Op::Args args;
      if (auto bound = protocol::Bind(value, &args); !bound.ok()) return done(std::move(bound.error()));
      Run(args, done, static_cast<const Op*>(nullptr));
    }
  });
}

void Session::Run(const protocol::SessionHello::Args&, const Done& done, const protocol::SessionHello*) {
  done(Error::BadRequest("session.hello was already sent"));
}

void Session::Run(const protocol::SessionPing::Args&, const Done& done, const protocol::SessionPing*) {
  protocol::SessionPing::Reply reply;
  reply.server_time = clock().Now();
  done(protocol::Encode(reply));
}

void Session::Run(const protocol::SessionRefresh::Args& args, const Done& done,
                  const protocol::SessionRefresh*) {
  const uint64_t judged_at = io_.revocations();
  Authenticate(io_, road(), KnockWith(args.token),
               [weak = weak_from_this(), args, done, judged_at](protocol::Result<Identity> judged) {
                 const auto self = weak.lock();
                 if (!self || self->state_ == State::kClosing) return;
                 if (!judged.ok()) return done(std::move(judged.error()));
                 if (judged_at != self->io_.revocations())
                   return self->Run(args, done, static_cast<const protocol::SessionRefresh*>(nullptr));
                 self->Refresh(*std::move(judged), done);
               });
}

void Session::Refresh(Identity identity, const Done& done) {
  if (identity.caller.tenant != tenant() || identity.caller.user != user())
    return done(ErrorFor(protocol::Reason::kTokenOfAnother, "the token belongs to another user"));
  // Only access tokens refresh a session: a key opens sessions, and is checked at each hello.
  const std::optional<protocol::Time> expires_at = identity.expires_at;
  if (!identity.key_id.empty() || !expires_at)
    return done(ErrorFor(protocol::Reason::kNeedsAccessToken, "only an access token can refresh a session"));
  const bool was_staff = who().caller.is_staff();
  TakeIdentity(std::move(identity));
  expiry_announced_ = false;
  ArmExpiry();
  protocol::SessionRefresh::Reply reply;
  reply.expires_at = *expires_at;
  if (!was_staff || who().caller.sees_all()) return done(protocol::Encode(reply));
  LeaveWhatIsOthers([done, reply](protocol::Status left) {
    done(left.ok() ? Answer(protocol::Encode(reply)) : Answer(std::move(left.error())));
  });
}

// Closes the open threads in which the user is not a member.
void Session::LeaveWhatIsOthers(std::function<void(protocol::Status)> then) {
  using Threads = std::vector<protocol::ThreadId>;
  ReadAnywhere<Threads>(
      io_, road(),
      [tenant = tenant(), user = user(), opened = Threads(opened_.begin(), opened_.end())](
          const storage::Reader& reader) -> threads::Result<Threads> {
        const threads::RowReader rows(reader, tenant);
        Threads others;
        for (const protocol::ThreadId& thread : opened) {
          PARLEY_TRY(me, rows.Participant(thread, user));
          if (!me || !me->active()) others.push_back(thread);
        }
        return others;
      },
      [weak = weak_from_this(), then = std::move(then)](threads::Result<Threads> others) {
        const auto self = weak.lock();
        if (!self) return;
        // If membership is unknown, close all.
        const Threads all(self->opened_.begin(), self->opened_.end());
        for (const protocol::ThreadId& thread : others.ok() ? *others : all) self->StopListening(thread);
        then(others.ok() ? protocol::Ok() : protocol::Status(std::move(others.error())));
      });
}

protocol::Status Session::PlaceFor(const protocol::ThreadId& thread) const {
  if (opened_.size() < kSessionOpenedThreadsMax || opened_.contains(thread)) return protocol::Ok();
  return SessionTooMany(protocol::Reason::kTooManyOpened,
                        "too many threads are open in this session: close some");
}

struct Session::Opened {
  protocol::ThreadOpen::Reply reply;
  bool looks = false;  // as staff, who are not members
  std::vector<protocol::UserId> shown;
  std::optional<HiddenPairs::Between> between;
  uint64_t noted = 0;  // the number of changes of hidden pairs before the read
};

namespace {

threads::Result<std::optional<HiddenPairs::Between>> SessionReadBetween(const threads::ReadContext& context,
                                                                        const threads::ThreadRow& head) {
  const auto parties = threads::PartiesOf(head.item);
  if (!parties) return std::optional<HiddenPairs::Between>();
  PARLEY_TRY(blocked, threads::AreBlocked(context, parties->one, parties->other));
  return std::optional(HiddenPairs::Between{*parties, blocked, threads::BlocksHoldIn(head)});
}

}  // namespace

void Session::Run(const protocol::ThreadOpen::Args& args, const Done& done, const protocol::ThreadOpen*) {
  if (auto place = PlaceFor(args.thread_id); !place.ok()) return done(std::move(place.error()));
  if (!io_.MakeRoom()) return done(features::NoRoom());
  opening_.push_back(args.thread_id);
  // Before the read, so that no event is missed between the read and live delivery.
  if (who().caller.is_staff()) io_.hub().Look(this, args.thread_id);
  ReadAnywhere<Opened>(
      io_, road(),
      [&node = std::as_const(node_), caller = who().caller, args,
       noted =
           io_.ephemera().hidden_pair_changes()](const storage::Reader& reader) -> threads::Result<Opened> {
        const threads::ReadContext context = node.ContextOf(reader, caller);
        Opened out;
        PARLEY_TRY(reply, threads::OpenThread(context, args));
        PARLEY_TRY(standing, threads::StandingOf(context, args.thread_id));
        out.reply = std::move(reply);
        out.looks = !standing.me && caller.is_staff();
        PARLEY_TRY(between, SessionReadBetween(context, standing.head));
        out.between = between;
        out.noted = noted;
        out.shown = std::move(standing.head.item.participants.items);
        // A user who has not accepted the invitation is not watched.
        if (const auto gated = threads::GatedIn(standing.head)) std::erase(out.shown, *gated);
        return out;
      },
      [weak = weak_from_this(), thread = args.thread_id, done](threads::Result<Opened> opened) {
        if (const auto self = weak.lock()) done(self->FinishOpen(thread, std::move(opened)));
      });
}

Answer Session::FinishOpen(const protocol::ThreadId& thread, threads::Result<Opened> opened) {
  opening_.erase(std::find(opening_.begin(), opening_.end(), thread));
  const bool still_opening = std::find(opening_.begin(), opening_.end(), thread) != opening_.end();
  const protocol::Status place = PlaceFor(thread);
  if ((!opened.ok() || !place.ok()) && !opened_.contains(thread) && !still_opening)
    io_.hub().LookAway(this, thread);
  if (!opened.ok()) return std::move(opened.error());
  PARLEY_CHECK_OK(place);
  protocol::ThreadOpen::Reply& reply = opened->reply;
  Ephemera& ephemera = io_.ephemera();
  ephemera.Part(tenant(), thread, opened->between, opened->noted);
  for (const protocol::UserId& member : opened->shown) {
    const bool online =
        ephemera.IsOnline(tenant(), member) && !ephemera.IsHidden(tenant(), thread, member, user());
    reply.presence.items.push_back({member, online});
  }
  // If the session receives this thread only from now on, it must not get events that the reply contains.
  const bool hears = CoversInFull(thread) && (!opened->looks || opened_.contains(thread));
  if (!hears) catch_up_.MarkTold(thread, reply.last_seq);
  opened_.insert(thread);
  io_.hub().OpenThread(this, thread);
  ephemera.Watch(tenant(), thread, opened->shown);
  if (const auto typing = ephemera.Typing(tenant(), thread, user()); !typing.empty()) {
    SendMsgpack(protocol::TypingEvent(thread, typing));
  }
  return protocol::Encode(reply);
}

namespace {

// The same, with the moderators' decisions about the caller.
auto SessionReadingOwnState(const Node& node, const threads::Caller& caller,
                            const protocol::ThreadId& thread) {
  return [&node, caller, thread](const storage::Reader& reader) -> threads::Result<threads::Standing> {
    const threads::ReadContext context = node.ContextOf(reader, caller);
    PARLEY_TRY(standing, threads::StandingOf(context, thread));
    PARLEY_TRY(state, threads::OwnState(context));
    standing.barriers.state = state;
    return std::move(standing);
  };
}

auto SessionReadingStanding(const Node& node, const threads::Caller& caller,
                            const protocol::ThreadId& thread) {
  return [&node, caller, thread](const storage::Reader& reader) {
    return threads::StandingOf(node.ContextOf(reader, caller), thread);
  };
}

// Calls `then` on the I/O thread's loop, after the events of everything committed in the thread so far: the
// executor hands those over before it takes the next command. This command changes nothing.
void BehindEvents(IoThread& io, const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                  std::function<void()> then) {
  threads::Job job;
  job.tenant = tenant;
  job.thread = thread;
  job.decide = [](threads::Transaction&) { return threads::Decision(); };
  job.done = [then = std::move(then)](const Answer&) { then(); };
  io.Submit(std::move(job));
}

}  // namespace

// Passes the caller's standing in a thread, for ops that need nothing else.
void Session::WithStanding(const protocol::ThreadId& thread,
                           std::function<void(protocol::Result<threads::Standing>)> then) {
  ReadAnywhere<threads::Standing>(io_, road(), SessionReadingOwnState(node_, who().caller, thread),
                                  std::move(then));
}

// While a thread is open, its changes arrive as events; otherwise as inbox entries. The fan-out worker may
// deliver the entry of a commit before the executor delivers its event; that entry was skipped, since the
// thread was open. So the thread closes only after the events of all commits. The session's reads wait until
// then, so that a later thread.open opens it again.
void Session::Run(const protocol::ThreadClose::Args& args, const Done& done, const protocol::ThreadClose*) {
  ++cold_reads_;
  InTurn([this, thread = args.thread_id, done] {
    deaf_ = false;  // no answer is being made for which events must wait
    ReadAnywhere<threads::Standing>(
        io_, {weak_from_this(), true}, SessionReadingStanding(node_, who().caller, thread),
        [this, thread, done](threads::Result<threads::Standing> standing) {
          const Answer answer = standing.ok() ? Answer(protocol::Encode(protocol::Empty{}))
                                              : Answer(std::move(standing.error()));
          const auto close = [weak = weak_from_this(), thread, done, answer] {
            const auto self = weak.lock();
            if (!self) return;
            --self->cold_reads_;
            self->EndTurn([&] {
              self->StopListening(thread);
              self->catch_up_.Forget(thread);
              done(answer);
            });
          };
          if (deliver_ == protocol::DeliverMode::kAll) return close();
          BehindEvents(io_, tenant(), thread, close);
        });
  });
}

void Session::Run(const protocol::TypingSet::Args& args, const Done& done, const protocol::TypingSet*) {
  WithStanding(args.thread_id, [weak = weak_from_this(), args, done](auto standing) {
    const auto self = weak.lock();
    if (!self) return;
    if (!standing.ok()) return done(std::move(standing.error()));
    if (auto may = threads::RequireParticipant(*standing); !may.ok()) return done(std::move(may.error()));
    const threads::Barriers& own = standing->barriers;
    const bool unheard = own.silenced() || own.shadowed();  // which the user must not learn
    self->NoteTyping(args.thread_id, args.typing && !unheard);
    done(protocol::Encode(protocol::Empty{}));
  });
}

void Session::NoteTyping(const protocol::ThreadId& thread, bool typing) {
  if (!authenticated_) return;  // it has ended
  std::erase(types_in_, thread);
  if (typing && types_in_.size() == kSessionTypesInMax) types_in_.erase(types_in_.begin());
  if (typing) types_in_.push_back(thread);
  io_.ephemera().SetTyping(tenant(), thread, user(), typing, this);
}

}  // namespace parley::gateway
