// The ops that are bound to a session: hello, ping, refresh, opening and closing a thread, typing.
#include "gateway/session.h"
#include "protocol/base/log.h"
#include "threads/lifecycle/thread_reads.h"

namespace parley::gateway {

using protocol::Error;
using protocol::ErrorCode;

namespace {
constexpr size_t kOpenedThreadsMax = 1000;  // of one session: nobody looks at more at once

// Nothing frees a place by itself: what is asked of the client is to look again, not to hurry.
constexpr int64_t kRetryWhenFullMs = 5'000;

Error TooMany(const char* of_what) {
  Error error(ErrorCode::kRateLimited, of_what);
  error.retry_after_ms = kRetryWhenFullMs;
  return error;
}
}  // namespace

// Safe-Mode is lifted for an adult, by the token, who wishes so.
void Session::TakeIdentity(Identity identity) {
  identity_ = std::move(identity);
  identity_->caller.mature = wants_mature_ && identity_->adult;
}

Answer Session::Hello(const protocol::SessionHello::Args& args) {
  // What is malformed is told before who asks is looked at.
  if (args.resume) PARLEY_CHECK_OK(CatchUp::Check(*args.resume));
  wants_mature_ = args.safe_mode && !*args.safe_mode;
  if (args.token) {
    auto identity = node_.authenticator().Authenticate(*args.token);
    if (!identity.ok()) return std::move(identity.error());
    identity_ = *identity;
  }
  if (!identity_) return Error(ErrorCode::kUnauthenticated, "no token");
  TakeIdentity(*identity_);
  if (identity_->expires_at && *identity_->expires_at <= node_.clock().Now()) {
    return Error(ErrorCode::kAuthExpired, "the token has expired");
  }
  if (!identity_->caller.user) return Error(ErrorCode::kUnauthenticated, "a session is a user's");
  if (!node_.AdmitSession(identity_->caller)) return TooMany("too many sessions of this user");

  const Config& config = node_.config();
  protocol::SessionHello::Reply reply;
  if (args.resume) {
    auto resumed = CatchUp::Judge(node_, identity_->caller, *args.resume, &catch_up_);
    if (!resumed.ok()) return std::move(resumed.error());
    probe_.resumed_threads.Add(static_cast<double>(resumed->members.size()));
    reply.resumed = std::move(*resumed);
  }
  deliver_ = args.deliver.value_or(protocol::DeliverMode::kAll);
  authenticated_ = true;
  state_ = catch_up_.done() ? State::kLive : State::kResuming;
  hello_timer_.reset();
  ArmHeartbeat();
  ArmExpiry();
  probe_.hellos.Add();
  protocol::Log(protocol::LogLevel::kDebug, "gateway", "session begins",
                {{"session", id_},
                 {"tenant", tenant().ToText()},
                 {"user", user().ToText()},
                 {"device", args.device ? args.device->value : std::string()}});

  reply.session_id = id_;
  reply.user_id = user();
  reply.tenant_id = tenant();
  reply.role = protocol::NameOf(identity_->caller.role);
  reply.server_time = node_.clock().Now();
  reply.epoch = node_.table().identity().epoch;
  reply.heartbeat_ms = config.heartbeat_ms;
  reply.presence_ttl_ms = config.presence_ttl_ms;
  reply.typing_ttl_ms = config.typing_ttl_ms;
  reply.limits.max_frame_bytes = config.max_frame_bytes;
  reply.limits.max_body_bytes = config.max_body_bytes;
  reply.limits.max_in_flight = config.max_in_flight;
  reply.limits.outbox_bytes = config.outbox_bytes;
  reply.limits.edit_window_ms = config.edit_window_ms;
  reply.limits.max_page_bytes = config.max_page_bytes;
  reply.limits.max_resume_threads = protocol::kMaxResumeThreads;
  reply.limits.max_participants = protocol::kMaxParticipants;
  reply.limits.max_named_participants = protocol::kMaxNamed;
  reply.limits.max_open_threads = kOpenedThreadsMax;
  reply.limits.max_sessions = config.max_sessions_per_user;
  return protocol::Encode(reply);
}

Answer Session::Own(std::string_view op, const protocol::Value& value) {
  Answer answer = Error(ErrorCode::kUnknownOp, "no such op");
  protocol::ForEachOp(protocol::AllOps{}, [&]<class Op>() {
    if constexpr (Op::kKind == protocol::OpKind::kSession) {
      if (op != Op::kName) return;
      typename Op::Args args;
      auto bound = protocol::Bind(value, &args);
      answer = bound.ok() ? Run(args, static_cast<const Op*>(nullptr)) : Answer(std::move(bound.error()));
    }
  });
  return answer;
}

Answer Session::Run(const protocol::SessionHello::Args&, const protocol::SessionHello*) {
  return Error::BadRequest("this session said hello already");
}

Answer Session::Run(const protocol::SessionPing::Args&, const protocol::SessionPing*) {
  protocol::SessionPing::Reply reply;
  reply.server_time = node_.clock().Now();
  return protocol::Encode(reply);
}

Answer Session::Run(const protocol::SessionRefresh::Args& args, const protocol::SessionRefresh*) {
  auto identity = node_.authenticator().Authenticate(args.token);
  if (!identity.ok()) return std::move(identity.error());
  if (identity->caller.tenant != tenant() || identity->caller.user != user()) {
    return Error(ErrorCode::kForbidden, "the token is of another user");
  }
  const bool was_staff = identity_->caller.is_staff();
  TakeIdentity(*identity);
  if (was_staff && !identity_->caller.sees_all()) {  // what is their own stays open
    for (const protocol::ThreadId& thread : std::vector(opened_.begin(), opened_.end())) {
      if (!IsMember(thread)) StopListening(thread);
    }
  }
  expiry_announced_ = false;
  ArmExpiry();
  protocol::SessionRefresh::Reply reply;
  reply.expires_at = *identity_->expires_at;
  return protocol::Encode(reply);
}

Answer Session::Run(const protocol::ThreadOpen::Args& args, const protocol::ThreadOpen*) {
  if (opened_.size() >= kOpenedThreadsMax && !opened_.contains(args.thread_id))
    return TooMany("too many threads are open in this session: close some");
  if (!lane_.MakeRoom()) return NoRoom();
  const auto view = lane_.View();
  const threads::ReadContext context{*view, identity_->caller, node_.cursors(), node_.clock().Now(),
                                     static_cast<size_t>(node_.config().max_page_bytes)};
  PARLEY_TRY(reply, threads::OpenThread(context, args));
  PARLEY_TRY(standing, threads::StandingOf(context, args.thread_id));
  const std::vector<protocol::UserId>& shown = standing.head.item.participants.items;
  for (const protocol::UserId& member : shown) {
    reply.presence.items.push_back({member, lane_.ephemera().IsOnline(tenant(), member)});
  }
  // What the reply holds is not told again to a session that hears of this thread only from now on.
  const bool looks = !standing.me && identity_->caller.is_staff();
  const bool hears = CoversInFull(args.thread_id) && (!looks || opened_.contains(args.thread_id));
  if (!hears) catch_up_.MarkTold(args.thread_id, reply.last_seq);
  if (looks) lane_.hub().Look(this, args.thread_id);
  opened_.insert(args.thread_id);
  lane_.hub().OpenThread(this, args.thread_id);
  lane_.ephemera().Watch(tenant(), args.thread_id, shown);
  if (const auto typing = lane_.ephemera().Typing(tenant(), args.thread_id, user()); !typing.empty()) {
    SendMsgpack(protocol::TypingEvent(args.thread_id, typing));
  }
  return protocol::Encode(reply);
}

Answer Session::Run(const protocol::ThreadClose::Args& args, const protocol::ThreadClose*) {
  StopListening(args.thread_id);
  catch_up_.Forget(args.thread_id);
  const auto view = lane_.View();
  const threads::ReadContext context{*view, identity_->caller, node_.cursors(), node_.clock().Now()};
  PARLEY_CHECK_OK(threads::StandingOf(context, args.thread_id));
  return protocol::Encode(protocol::Empty{});
}

Answer Session::Run(const protocol::TypingSet::Args& args, const protocol::TypingSet*) {
  const auto view = lane_.View();
  const threads::ReadContext context{*view, identity_->caller, node_.cursors(), node_.clock().Now()};
  PARLEY_TRY(standing, threads::StandingOf(context, args.thread_id));
  PARLEY_CHECK_OK(threads::RequireParticipant(standing));
  lane_.ephemera().SetTyping(tenant(), args.thread_id, user(), args.typing);
  return protocol::Encode(protocol::Empty{});
}

SessionProbe::SessionProbe(protocol::Metrics& metrics)
    : opened(metrics.AddCounter("parley_connections_opened_total", "WebSockets opened")),
      hellos(metrics.AddCounter("parley_hellos_total", "Sessions authenticated")),
      requests(metrics.AddCounter("parley_requests_total", "Requests over WebSocket")),
      errors(metrics.AddCounter("parley_request_errors_total",
                                "Requests over WebSocket answered with an error")),
      frames_in(metrics.AddCounter("parley_frames_in_total", "Frames received")),
      resumed_threads(metrics.AddCounter("parley_resumed_threads_total", "Threads named in resume maps")) {
  for (const protocol::CloseCodeInfo& info : protocol::CloseCodes()) {
    closed_.emplace_back(
        info.code, metrics.AddCounter("parley_sessions_closed_total", "Sessions the server closed, by code",
                                      {{"code", std::to_string(static_cast<int>(info.code))}}));
  }
}

protocol::Counter SessionProbe::ClosedFor(protocol::CloseCode code) {
  for (const auto& [known, counter] : closed_) {
    if (known == code) return counter;
  }
  return closed_.front().second;
}

}  // namespace parley::gateway
