#include "gateway/ws/handshake.h"

#include <utility>

#include "features/host/cold_reads.h"
#include "gateway/ws/session_pieces.h"
#include "protocol/base/log.h"
#include "protocol/base/reason.h"
#include "threads/model/safe_mode.h"

namespace parley::gateway {
namespace {

using protocol::CloseCode;
using protocol::Error;
using protocol::ErrorCode;
using State = SessionCore::State;

// A rate limit or an overload gets its own code: the credential is still good.
CloseCode CloseCodeOf(const Error& refused_hello) {
  if (refused_hello.rate_limit > 0) return CloseCode::kTooManyRequests;
  if (refused_hello.code == ErrorCode::kUnavailable) return CloseCode::kOverloaded;
  if (refused_hello.code == ErrorCode::kForbidden) return CloseCode::kForbidden;
  return CloseCode::kUnauthenticated;
}

Error TooManySessions() {
  return TooMany(protocol::Reason::kTooManySessions, "the user has too many sessions");
}

}  // namespace

void Handshake::Begin(const WsRequest& request) {
  if (request.op != protocol::SessionHello::kName)
    return Refuse(request.ticket(),
                  ErrorFor(protocol::Reason::kNoCredential, "session.hello must be the first request"));
  auto hello = std::make_shared<protocol::SessionHello::Args>();
  auto bound = request.unknown ? protocol::Status(protocol::UnknownField(*request.unknown))
                               : protocol::Bind(request.args_or_empty(), hello.get());
  // Malformed requests are reported before the caller is judged.
  const protocol::SessionHello::Args& said = *hello;
  if (bound.ok() && said.resume) bound = CatchUp::Check(*said.resume);
  if (!bound.ok()) return Refuse(request.ticket(), bound.error());
  if (said.token) visitor_.credential = *said.token;
  if (visitor_.credential.empty())
    return Refuse(request.ticket(), ErrorFor(protocol::Reason::kNoCredential, "no token"));
  safe_mode_ = said.safe_mode;
  CheckCredential(request.ticket(), hello);
}

void Handshake::Refuse(const Ticket& ticket, const Error& error) {
  under_way_ = checking_ = false;
  s_.inbound.Finish(ticket, error);
  s_.CloseWith(CloseCodeOf(error), "hello refused");
}

bool Handshake::Abandon() {
  return std::exchange(under_way_, false);
}

// The hello decides for its session in place of the user's preference, but lifts Safe-Mode only for an adult.
void Handshake::TakeIdentity(Identity identity) {
  if (safe_mode_) identity.caller.mature = identity.adult && !*safe_mode_;
  s_.identity = std::move(identity);
}

Knock Handshake::KnockWith(const std::string& credential) const {
  Knock knock;
  knock.credential = credential;
  knock.purpose = accounts::Purpose::kSession;
  knock.origin = visitor_.origin;
  if (s_.connection) knock.address = s_.connection->address();
  return knock;
}

// No other request is handled until this is done. Without a connection the caller is still checked, for the
// requests received before it broke.
void Handshake::CheckCredential(const Ticket& ticket, const Hello& hello) {
  under_way_ = checking_ = true;
  s_.timers.NoteHello();
  checked_at_ = s_.io.revocations();
  if (s_.connection) {
    return Authenticate(
        s_.io, s_.turns.road(), KnockWith(visitor_.credential),
        [this, weak = s_.weak_from_this(), ticket, hello](protocol::Result<Identity> checked) {
          const auto session = weak.lock();
          if (session && s_.connection) OnChecked(ticket, hello, std::move(checked));
        });
  }
  Authenticate(s_.io, s_.io.road(), KnockWith(visitor_.credential),
               [this, session = s_.shared_from_this()](protocol::Result<Identity> checked) {
                 OnCheckedWithoutConnection(std::move(checked));
               });
}

void Handshake::OnCheckedWithoutConnection(protocol::Result<Identity> checked) {
  under_way_ = checking_ = false;
  if (checked.ok() && checked->caller.user) {
    TakeIdentity(*std::move(checked));
    s_.authenticated = true;
  } else {
    s_.inbound.Clear();
  }
  if (!s_.winding_up) s_.WindUp();
}

void Handshake::OnChecked(const Ticket& ticket, const Hello& hello, protocol::Result<Identity> checked) {
  if (!under_way_) return;
  checking_ = false;
  if (!checked.ok()) return Refuse(ticket, checked.error());
  if (!checked->caller.user)
    return Refuse(ticket, ErrorFor(protocol::Reason::kBadCredential, "only users can open a session"));
  TakeIdentity(*std::move(checked));
  if (!s_.node().AdmitSession(s_.who().caller)) return Refuse(ticket, TooManySessions());
  if (auto room = s_.limits.RequireRoom(); !room.ok()) return Refuse(ticket, room.error());
  JudgeResume(ticket, hello);
}

void Handshake::JudgeResume(const Ticket& ticket, const Hello& hello) {
  if (!hello->resume) return Complete(ticket, hello, {});
  ReadAnywhere<CatchUp::Judgement>(
      s_.io, s_.turns.road(),
      [&node = std::as_const(s_.node()), epoch = s_.node().table().identity().epoch, caller = s_.who().caller,
       hello](const storage::Reader& reader) {
        return CatchUp::Judge(node.ContextOf(reader, caller), epoch, *hello->resume);
      },
      [this, weak = s_.weak_from_this(), ticket, hello](protocol::Result<CatchUp::Judgement> judged) {
        const auto session = weak.lock();
        if (!session || !under_way_) return;
        if (!judged.ok()) return Refuse(ticket, judged.error());
        Complete(ticket, hello, std::move(*judged));
      });
}

void Handshake::Complete(const Ticket& ticket, const Hello& hello, CatchUp::Judgement judgement) {
  // A revocation since then is not reflected here, so check again.
  if (checked_at_ != s_.io.revocations()) return CheckCredential(ticket, hello);
  under_way_ = false;
  // Other sessions of this user may have been admitted during the read.
  if (!s_.node().AdmitSession(s_.who().caller)) return Refuse(ticket, TooManySessions());
  s_.probe.resumed_threads.Add(static_cast<double>(judgement.verdicts.members.size()));
  Accept(*hello, std::move(judgement.catch_up));
  s_.inbound.Finish(ticket, Reply(std::move(judgement.verdicts)));
  // The reply is queued; events may follow it from here on.
  s_.io.hub().Add(&s_.delivery);
  s_.io.ephemera().Touch(s_.tenant(), s_.user());
  s_.resumption.Start();
}

void Handshake::Accept(const protocol::SessionHello::Args& hello, CatchUp catch_up) {
  s_.resumption.Take(std::move(catch_up));
  s_.deliver = hello.deliver.value_or(protocol::DeliverMode::kAll);
  s_.compact = hello.compact.value_or(false);
  s_.authenticated = true;
  s_.state = s_.resumption.catch_up().done() ? State::kLive : State::kResuming;
  s_.timers.Start();
  s_.probe.hellos.Add();
  protocol::Log(protocol::LogLevel::kDebug, "gateway", "session begins",
                {{"session", s_.id},
                 {"tenant", s_.tenant().ToText()},
                 {"user", s_.user().ToText()},
                 {"device", hello.device ? hello.device->value : std::string()}});
}

std::string Handshake::Reply(protocol::Dictionary<protocol::ResumeVerdict> resumed) const {
  const Config& settings = s_.config();
  protocol::SessionHello::Reply reply;
  reply.resumed = std::move(resumed);
  reply.session_id = s_.id;
  reply.user_id = s_.user();
  reply.tenant_id = s_.tenant();
  reply.role = protocol::NameOf(s_.who().caller.role);
  reply.server_time = s_.clock().Now();
  reply.epoch = s_.node().table().identity().epoch;
  reply.heartbeat_ms = settings.heartbeat_ms;
  reply.presence_ttl_ms = settings.presence_ttl_ms;
  reply.typing_ttl_ms = settings.typing_ttl_ms;
  reply.safe_mode.band_max = threads::BandMaxOf(s_.who().caller, false);
  reply.safe_mode.may_lift = s_.who().adult;
  reply.limits.max_frame_bytes = settings.max_frame_bytes;
  reply.limits.max_body_bytes = settings.max_body_bytes;
  reply.limits.max_in_flight = settings.max_in_flight;
  reply.limits.outbox_bytes = settings.outbox_bytes;
  reply.limits.edit_window_ms = settings.edit_window_ms;
  reply.limits.max_page_bytes = settings.max_page_bytes;
  reply.limits.max_resume_threads = protocol::kMaxResumeThreads;
  reply.limits.max_participants = protocol::kMaxParticipants;
  reply.limits.max_named_participants = protocol::kMaxNamed;
  reply.limits.max_open_threads = kOpenedThreadsMax;
  reply.limits.max_sessions = settings.max_sessions_per_user;
  return protocol::Encode(reply);
}

void Handshake::Refresh(const protocol::SessionRefresh::Args& args, const Done& done) {
  const uint64_t checked_at = s_.io.revocations();
  Authenticate(
      s_.io, s_.turns.road(), KnockWith(args.token),
      [this, weak = s_.weak_from_this(), args, done, checked_at](protocol::Result<Identity> checked) {
        const auto session = weak.lock();
        if (!session || s_.closing()) return;
        if (!checked.ok()) return done(std::move(checked.error()));
        if (checked_at != s_.io.revocations()) return Refresh(args, done);
        ReplaceIdentity(*std::move(checked), done);
      });
}

void Handshake::ReplaceIdentity(Identity identity, const Done& done) {
  if (identity.caller.tenant != s_.tenant() || identity.caller.user != s_.user())
    return done(ErrorFor(protocol::Reason::kTokenOfAnother, "the token belongs to another user"));
  // Only access tokens refresh a session: a key opens sessions, and is checked at each hello.
  const std::optional<protocol::Time> expires_at = identity.expires_at;
  if (!identity.key_id.empty() || !expires_at)
    return done(ErrorFor(protocol::Reason::kNeedsAccessToken, "only an access token can refresh a session"));
  const bool was_staff = s_.who().caller.is_staff();
  TakeIdentity(std::move(identity));
  s_.timers.NoteRefreshed();
  protocol::SessionRefresh::Reply reply;
  reply.expires_at = *expires_at;
  if (!was_staff || s_.who().caller.sees_all()) return done(protocol::Encode(reply));
  s_.threads.CloseUnlessMember([done, reply](protocol::Status left) {
    done(left.ok() ? Answer(protocol::Encode(reply)) : Answer(std::move(left.error())));
  });
}

}  // namespace parley::gateway
