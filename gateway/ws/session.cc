// The hot path of a message from its socket to other sockets: thread, copies and allocations of each step.
//
//   loop:     WsConnection::OnInput. Sockets are read into one shared buffer; a frame is unmasked into a
//             string of its own (copy 1), which is only moved from here on.
//   loop:     Session::Pump. Decoded to a tree whose text points into that string, bound to typed args (the
//             body: copy 2).
//   executor: SendMessage, Draft. Decided on cached rows. The wire item is encoded once (copy 3); those bytes
//             are stored, logged and sent.
//   executor: Committer. The rows of all commands of the batch form one write (copy 4), with one sync.
//   loop:     LiveDelivery, Hub. The new events of a thread are framed together, once for each form in use
//             (copy 5), and every recipient shares the frame: a delivery allocates nothing
//             (tests/fanout/delivery_allocations_test.cc).
//   loop:     Session::OnRun, Socket. A pointer enters the outbox; at the end of the loop's turn one sendmsg
//             per connection writes all of it.
//   fanout:   InboxProjection. Later, for all messages of a pass together.
//
// Costs and bounds: docs/performance.md.
#include "gateway/ws/session.h"

#include <algorithm>

#include "features/host/access.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/base/log.h"
#include "protocol/base/reason.h"
#include "protocol/compact.h"
#include "threads/model/read_context.h"

namespace parley::gateway {
namespace {

using protocol::CloseCode;
using protocol::Error;
using protocol::ErrorCode;
using protocol::LogLevel;

constexpr int64_t kSessionExpiringNoticeMs = 60'000;
constexpr size_t kSessionFramesPerPump = 64;  // then other sessions have their turn
const protocol::Value kSessionNoArgs{protocol::Map{}};

// A rate limit or an overload gets its own code: the credential is still good.
CloseCode SessionCloseCodeOf(const Error& refused_hello) {
  if (refused_hello.rate_limit > 0) return CloseCode::kTooManyRequests;
  if (refused_hello.code == ErrorCode::kUnavailable) return CloseCode::kOverloaded;
  if (refused_hello.code == ErrorCode::kForbidden) return CloseCode::kForbidden;
  return CloseCode::kUnauthenticated;
}

}  // namespace

Session::Session(IoThread& io, SessionProbe& probe, protocol::Encoding encoding, Visitor visitor)
    : io_(io),
      node_(io.node()),
      encoding_(encoding),
      probe_(probe),
      id_("ses_" + protocol::Base64Url(protocol::RandomBytes(12))),
      visitor_(std::move(visitor)) {}

Session::~Session() = default;

// --- from the transport

void Session::OnOpen(Connection* connection) {
  connection_ = connection;
  state_ = State::kAuthenticating;
  probe_.opened.Add();
  last_heard_ms_ = clock().MonotonicMs();
  hello_timer_ = io_.loop().CallAfter(config().hello_timeout_ms, [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->CloseWith(CloseCode::kNoHello, "no session.hello in time");
  });
}

void Session::OnFrame(std::string payload, bool binary) {
  if (state_ == State::kClosing) return;
  last_heard_ms_ = clock().MonotonicMs();
  probe_.frames_in.Add();
  inbound_bytes_ += payload.size();
  inbound_.emplace_back(std::move(payload), binary);
  UpdateReading();
  SchedulePump();
}

void Session::OnPong() {
  last_heard_ms_ = clock().MonotonicMs();
}

void Session::OnWritable() {
  if (state_ == State::kResuming) StepCatchUp();
  BeginTurns();
  if (!inbound_.empty()) SchedulePump();
}

void Session::OnInputEnd() {
  input_ended_ = true;
  BeginTurns();
  SchedulePump();
}

void Session::OnTooSlow() {
  CloseWith(CloseCode::kTooSlow, "the readers' budget is used up, and this client uses the most");
}

void Session::OnClosed() {
  connection_ = nullptr;
  // The session's own reads end here, so authenticate again by a read that does not.
  if (judging_) return Judge({}, nullptr);
  // The session will not resume, but the caller is known.
  if (std::exchange(greeting_, false)) authenticated_ = true;
  WindUp();
}

void Session::WindUp() {
  winding_up_ = true;
  WorkOff();
  winding_up_ = false;
  if (judging_) return;  // continues once the caller is known
  const bool was_subscribed = authenticated_;
  state_ = State::kClosing;
  hello_timer_.reset();
  heartbeat_.reset();
  expiry_.reset();
  catch_up_timer_.reset();
  inbound_.clear();
  GiveUpReads();
  if (!was_subscribed) return;
  authenticated_ = false;
  while (!opened_.empty()) StopListening(protocol::ThreadId(*opened_.begin()));
  io_.hub().Remove(this);
  for (const protocol::ThreadId& thread : types_in_)
    io_.ephemera().EndTypingBy(tenant(), thread, user(), this);
  if (!io_.hub().SessionsOf(tenant(), user())) io_.ephemera().Gone(tenant(), user());
  protocol::Log(LogLevel::kDebug, "gateway", "session ended", {{"session", id_}, {"user", user().ToText()}});
}

// --- input

void Session::SchedulePump() {
  if (pump_posted_) return;
  pump_posted_ = true;
  io_.PumpSoon(weak_from_this());
}

void Session::Pump() {
  pump_posted_ = false;
  for (size_t handled = 0; !inbound_.empty() && state_ != State::kClosing; ++handled) {
    if (in_flight_ >= static_cast<size_t>(config().max_in_flight)) break;  // the next answer pumps again
    if (greeting_) break;  // and so does the reply to the hello
    // Many requests at once do not make a client too slow: further answers wait until OnWritable.
    if (Unread(4) && !input_ended_) break;
    if (handled == kSessionFramesPerPump) return SchedulePump();
    if (!TakeNext()) return;
  }
  UpdateReading();
  AnswerEnd();
}

bool Session::TakeNext() {
  auto [payload, binary] = std::move(inbound_.front());
  inbound_.pop_front();
  const size_t bytes = payload.size();
  inbound_bytes_ -= bytes;
  if (binary != (encoding_ == protocol::Encoding::kMsgpack)) {
    CloseWith(CloseCode::kWrongKind, "wrong kind of frame");
    return false;
  }
  protocol::DecodeLimits limits;
  limits.max_bytes = static_cast<size_t>(config().max_frame_bytes);
  Asked request;
  if (const auto fault = protocol::ParseRequest(encoding_, std::move(payload), limits, &request)) {
    CloseWith(fault->close, fault->why);
    return false;
  }
  request.info = FindOp(request.op);
  request.mark = OpMeter::Begin(request.info ? request.info->index : OpMeter::kUnknown);
  if (node_.tracer().on()) request.trace = BeginTrace(request, bytes);
  if (!Admit(request)) return false;
  Handle(std::move(request));
  return true;
}

// Bounded, since reading stops at the limit of requests in flight.
void Session::WorkOff() {
  while (!inbound_.empty() && state_ != State::kClosing && !judging_) {
    if (!TakeNext()) break;
  }
}

void Session::AnswerEnd() {
  if (!input_ended_ || !inbound_.empty() || in_flight_ > 0 || !connection_ || state_ == State::kClosing)
    return;
  state_ = State::kClosing;
  connection_->AnswerEnd();
}

// Stops reading while too many requests, or too large ones, are unanswered.
void Session::UpdateReading() {
  if (!connection_) return;
  const auto max = static_cast<size_t>(config().max_in_flight);
  const bool full =
      in_flight_ + inbound_.size() >= max || inbound_bytes_ >= static_cast<size_t>(config().max_frame_bytes);
  if (full == reading_paused_) return;
  reading_paused_ = full;
  connection_->PauseReading(full);
}

bool Session::Admit(const Asked& request) {
  if (request.id && !outstanding_.insert(*request.id).second) {
    CloseWith(CloseCode::kMisuse, "this id is still outstanding");
    return false;
  }
  ++in_flight_;
  probe_.requests.Add();
  return true;
}

void Session::Handle(Asked request) {
  if (!authenticated_) return HandleFirst(request);
  if (HasExpired()) {
    Finish(request.ticket(), Error(ErrorCode::kAuthExpired, "the token has expired"));
    return CloseExpired();
  }
  const protocol::Value& args = request.args && !request.args->is_null() ? *request.args : kSessionNoArgs;
  io_.ephemera().Touch(tenant(), user());
  auto refusal = Charge(request.op);
  if (request.unknown) return Finish(request.ticket(), protocol::UnknownField(*request.unknown));
  const OpInfo* op = request.info;
  if (!op) return Finish(request.ticket(), Error(ErrorCode::kUnknownOp, "no such op"));
  const bool may = op->kind != protocol::OpKind::kWrite || !who().reads_only;
  if (refusal && may) return RefuseUnlessRepeat(request, *op, args, *std::move(refusal));
  if (op->kind != protocol::OpKind::kWrite && IsUnheard()) return Forgo(request.ticket());
  if (op->kind == protocol::OpKind::kSession) {
    const bool looks = who().caller.is_staff() && request.op == protocol::ThreadOpen::kName;
    return looks ? OpenAsStaff(std::move(request)) : Own(request.op, args, Finisher(request.ticket()));
  }
  if (!may) return Finish(request.ticket(), ErrorFor(protocol::Reason::kReadsOnly, "the user may only read"));
  if (op->awaits_projection) return ReadIndex(std::move(request));
  Route(io_, request.op, who().caller, args, road(), Charging(request.op, Finisher(request.ticket())),
        request.trace);
}

// When staff open a thread, the access is recorded before they see anything.
void Session::OpenAsStaff(Asked request) {
  const auto held = std::make_shared<Asked>(std::move(request));
  const auto args_of = [](const protocol::Request& one) -> const protocol::Value& {
    return one.args && !one.args->is_null() ? *one.args : kSessionNoArgs;
  };
  protocol::ThreadOpen::Args open;
  if (auto bound = protocol::Bind(args_of(*held), &open); !bound.ok())
    return Finish(held->ticket(), std::move(bound.error()));
  RecordAccess(
      io_, who().caller, open.thread_id, protocol::ThreadOpen::kName,
      [weak = weak_from_this(), held, args_of](Answer recorded) {
        const auto self = weak.lock();
        if (!self || !self->authenticated_) return;
        if (!recorded.ok()) return self->Finish(held->ticket(), std::move(recorded));
        self->Own(held->op, args_of(*held), self->Finisher(held->ticket()));
      },
      open.reason ? open.reason->value : std::string());
}

// Only session.hello is accepted first, and nothing else until it is answered; any refusal here ends the
// session.
void Session::HandleFirst(const Asked& request) {
  const protocol::Value& value = request.args && !request.args->is_null() ? *request.args : kSessionNoArgs;
  if (request.op != protocol::SessionHello::kName)
    return Refuse(request.ticket(),
                  ErrorFor(protocol::Reason::kNoCredential, "session.hello must be the first request"));
  auto hello = std::make_shared<protocol::SessionHello::Args>();
  auto bound = request.unknown ? protocol::Status(protocol::UnknownField(*request.unknown))
                               : protocol::Bind(value, hello.get());
  // Malformed requests are reported before the caller is judged.
  const protocol::SessionHello::Args& said = *hello;
  if (bound.ok() && said.resume) bound = CatchUp::Check(*said.resume);
  if (!bound.ok()) return Refuse(request.ticket(), bound.error());
  if (said.token) visitor_.credential = *said.token;
  if (visitor_.credential.empty())
    return Refuse(request.ticket(), ErrorFor(protocol::Reason::kNoCredential, "no token"));
  wants_mature_ = !said.safe_mode.value_or(true);
  Judge(request.ticket(), hello);
}

void Session::Refuse(const Ticket& ticket, const Error& error) {
  greeting_ = judging_ = false;
  Finish(ticket, error);
  CloseWith(SessionCloseCodeOf(error), "hello refused");
}

// --- output

void Session::Finish(const Ticket& ticket, Answer answer) {
  io_.ops().socket.Note(ticket.mark, answer.ok() ? std::nullopt : std::optional(answer.error().code));
  std::string corr_id = ticket.trace ? ticket.trace->corr_id : "";
  if (!answer.ok()) {
    probe_.errors.Add();
    corr_id = node_.errors().Note(answer.error(), id_, std::move(corr_id));
    if (answer.error().code == ErrorCode::kRateLimited) NoteRefused(answer.error());
  }
  if (config().access_log_ops) LogOp(ticket.mark, answer, corr_id);
  if (ticket.trace) LogAnswered(*ticket.trace, answer);
  if (ticket.id && !IsUnheard()) {
    if (answer.ok() && compact_ && ticket.pages) answer = protocol::Compact(*ticket.pages, *answer);
    answer.ok() ? SendOk(*ticket.id, std::move(*answer))
                : SendMsgpack(protocol::ErrorReply(*ticket.id, answer.error(), corr_id));
  }
  Forgo(ticket);
}

Done Session::Finisher(const Ticket& ticket) {
  return [weak = weak_from_this(), ticket](Answer answer) {
    if (const auto self = weak.lock()) self->Finish(ticket, std::move(answer));
  };
}

void Session::Forgo(const Ticket& ticket) {
  --in_flight_;
  if (ticket.id) outstanding_.erase(*ticket.id);
  UpdateReading();
  if (!inbound_.empty()) SchedulePump();
  AnswerEnd();
}

SharedFramePtr Session::Encode(std::string msgpack) const {
  const bool json = encoding_ == protocol::Encoding::kJson;
  return MakeFrame(json ? protocol::MsgpackToJson(msgpack) : std::move(msgpack), !json, node_.readers());
}

// A page can be large, so it is not copied into the frame.
void Session::SendOk(uint32_t id, std::string ok) {
  if (encoding_ == protocol::Encoding::kJson) return SendMsgpack(protocol::OkReply(id, ok));
  if (!connection_ || state_ == State::kClosing) return;
  SendFrame(MakeFrame(protocol::OkReplyHead(id), std::move(ok), true, node_.readers()));
}

void Session::SendMsgpack(std::string msgpack) {
  if (connection_ && state_ != State::kClosing) SendFrame(Encode(std::move(msgpack)));
}

void Session::SendFrame(const SharedFramePtr& frame) {
  if (!connection_ || state_ == State::kClosing) return;
  // No answer is larger than half of an outbox (options.cc), so a full outbox is the reader's fault.
  const size_t unread = connection_->BufferedBytes();
  if (unread + FrameBytes(*frame) > static_cast<size_t>(config().outbox_bytes)) {
    return CloseWith(CloseCode::kTooSlow, "the client reads too slowly");
  }
  connection_->Send(frame);
}

bool Session::Unread(size_t part) const {
  return connection_ &&
         connection_->BufferedBytes() + held_bytes_ > static_cast<size_t>(config().outbox_bytes) / part;
}

void Session::CloseWith(CloseCode code, std::string_view why, Reason reason) {
  if (state_ == State::kClosing) return;
  state_ = State::kClosing;
  probe_.ClosedFor(code).Add();
  protocol::Log(LogLevel::kDebug, "gateway", "session closes",
                {{"session", id_}, {"code", static_cast<int>(code)}, {"why", why}});
  inbound_.clear();
  GiveUpReads();
  if (connection_) {
    connection_->Close(static_cast<uint16_t>(code),
                       std::string(reason == Reason::kAsSaid ? why : protocol::Describe(code).reason),
                       code == CloseCode::kTooSlow);
  }
}

void Session::AnnounceDrain() {
  if (authenticated_) SendMsgpack(protocol::SessionDrainingEvent(config().reconnect_within_ms));
}

void Session::StopListening(const protocol::ThreadId& thread) {
  opened_.erase(thread);
  io_.hub().CloseThread(this, thread);
  if (io_.hub().Openers(tenant(), thread).empty()) io_.ephemera().Unwatch(tenant(), thread);
}

void Session::LeaveByRows(const protocol::ThreadId& thread) {
  StopListening(thread);
  const auto left = catch_up_.left().find(thread);
  if (left == catch_up_.left().end()) return;
  // The snapshot that showed the removal is older than this position.
  io_.hub().NoteRemoved(*this, thread, left->second, node_.table().LastPosition());
}

// --- time

// Checks again when a ping is due or, after the ping, when the session must end.
void Session::ArmHeartbeat() {
  const int64_t heartbeat_ms = config().heartbeat_ms;
  const int64_t silent_ms = clock().MonotonicMs() - last_heard_ms_;
  const int64_t due_ms = silent_ms < heartbeat_ms ? heartbeat_ms : 2 * heartbeat_ms;
  heartbeat_ = io_.loop().CallAfter(due_ms - silent_ms, [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->OnHeartbeat();
  });
}

void Session::OnHeartbeat() {
  if (!connection_ || state_ == State::kClosing) return;
  if (HasExpired()) return CloseExpired();
  const int64_t silent_ms = clock().MonotonicMs() - last_heard_ms_;
  if (silent_ms >= 2 * config().heartbeat_ms)
    return CloseWith(CloseCode::kDraining, "nothing received for two heartbeats", Reason::kAsSaid);
  if (silent_ms >= config().heartbeat_ms) connection_->Ping();
  ArmHeartbeat();
}

// Fires first for the notice, then for the expiry.
void Session::ArmExpiry() {
  expiry_.reset();
  const std::optional<protocol::Time> end = who().expires_at;
  if (!end) return;
  const int64_t left_ms = end->ms - clock().Now().ms;
  const int64_t wait_ms = expiry_announced_ ? left_ms : left_ms - kSessionExpiringNoticeMs;
  constexpr int64_t kLongestWaitMs = 60'000;  // then check again: the clock may have been set
  expiry_ = io_.loop().CallAfter(std::clamp<int64_t>(wait_ms, 0, kLongestWaitMs), [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->OnExpiry();
  });
}

// Uses the wall clock, which may be set after the timer was; so requests and heartbeats check, too.
bool Session::HasExpired() const {
  const std::optional<protocol::Time> end = who().expires_at;
  return end && *end <= clock().Now();
}

void Session::CloseExpired() {
  CloseWith(CloseCode::kUnauthenticated, "the token expired");
}

void Session::OnExpiry() {
  if (HasExpired()) return CloseExpired();
  const std::optional<protocol::Time> end = who().expires_at;
  if (end && !expiry_announced_ && end->ms - clock().Now().ms <= kSessionExpiringNoticeMs) {
    expiry_announced_ = true;
    SendMsgpack(protocol::SessionExpiringEvent(*end));
  }
  ArmExpiry();
}

}  // namespace parley::gateway
