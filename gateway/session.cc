// The hot path, a message from socket to sockets: each hop with its thread, its copies and its allocations.
//
//   loop:     WsConnection::OnInput. Sockets are read into one shared buffer; a frame is unmasked into a
//             string of its own (copy 1) that is moved from here on.
//   loop:     Session::Pump. Decoded to a tree whose text points into that string, bound to typed args (the
//             body: copy 2).
//   executor: SendMessage, Draft. Decided on cached rows. The wire item is encoded once (copy 3); those bytes
//             are stored, logged and sent.
//   executor: Committer. The rows of all commands of the turn go into one batch (copy 4), with one sync.
//   loop:     LiveDelivery, Hub. The events of a thread since the last look are framed in one piece, once per
//             encoding (copy 5), and every recipient shares it: nothing is allocated per delivery
//             (tests/fanout/delivery_allocations_test.cc).
//   loop:     Session::OnRun, Socket. A pointer goes into the outbox; at the end of the loop's turn one
//             sendmsg per connection takes all that lies there.
//   fanout:   InboxProjection. Later, for all messages of a pass together.
//
// What it costs, and what bounds it: docs/performance.md.
#include "gateway/session.h"

#include <algorithm>

#include "protocol/base/crypto.h"
#include "protocol/base/log.h"
#include "threads/model/read_context.h"

namespace parley::gateway {
namespace {

using protocol::CloseCode;
using protocol::Error;
using protocol::ErrorCode;
using protocol::EventKind;
using protocol::LogLevel;

constexpr int64_t kExpiringNoticeMs = 60'000;
constexpr int64_t kRetryMs = 200;      // of catch-up, when all readers together hold too much
constexpr size_t kFramesPerPump = 64;  // then other sessions get their turn
const protocol::Value kNoArgs{protocol::Map{}};

SharedFramePtr AsFrame(const fanout::FramePtr& frame) {
  return std::static_pointer_cast<const SharedFrame>(frame);
}

}  // namespace

Session::Session(Lane& lane, SessionProbe& probe, protocol::Encoding encoding,
                 std::optional<Identity> header_identity)
    : lane_(lane),
      node_(lane.node()),
      encoding_(encoding),
      probe_(probe),
      id_("ses_" + protocol::Base64Url(protocol::RandomBytes(12))),
      identity_(std::move(header_identity)) {}

Session::~Session() = default;

// --- from the transport

void Session::OnOpen(Connection* connection) {
  connection_ = connection;
  state_ = State::kAuthenticating;
  probe_.opened.Add();
  last_heard_ms_ = node_.clock().MonotonicMs();
  hello_timer_ = lane_.loop().CallAfter(node_.config().hello_timeout_ms, [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->CloseWith(CloseCode::kNoHello, "no session.hello in time");
  });
}

void Session::OnFrame(std::string payload, bool binary) {
  if (state_ == State::kClosing) return;
  last_heard_ms_ = node_.clock().MonotonicMs();
  probe_.frames_in.Add();
  inbound_bytes_ += payload.size();
  inbound_.emplace_back(std::move(payload), binary);
  UpdateReading();
  SchedulePump();
}

void Session::OnPong() {
  last_heard_ms_ = node_.clock().MonotonicMs();
}

void Session::OnWritable() {
  if (state_ == State::kResuming) StepCatchUp();
  if (!inbound_.empty()) SchedulePump();
}

void Session::OnInputEnd() {
  input_ended_ = true;
  SchedulePump();
}

void Session::OnTooSlow() {
  CloseWith(CloseCode::kTooSlow, "too much is held for all readers, and most of it here");
}

void Session::OnClosed() {
  connection_ = nullptr;
  WorkOff();
  const bool was_subscribed = authenticated_;
  state_ = State::kClosing;
  hello_timer_.reset();
  heartbeat_.reset();
  expiry_.reset();
  catch_up_timer_.reset();
  inbound_.clear();
  index_reads_.clear();
  held_.clear();
  if (!was_subscribed) return;
  authenticated_ = false;
  while (!opened_.empty()) StopListening(protocol::ThreadId(*opened_.begin()));
  lane_.hub().Remove(this);
  if (!lane_.hub().SessionsOf(tenant(), user())) lane_.ephemera().Gone(tenant(), user());
  protocol::Log(LogLevel::kDebug, "gateway", "session ended", {{"session", id_}, {"user", user().ToText()}});
}

// --- input

void Session::SchedulePump() {
  if (pump_posted_) return;
  pump_posted_ = true;
  lane_.PumpSoon(weak_from_this());
}

void Session::Pump() {
  pump_posted_ = false;
  for (size_t handled = 0; !inbound_.empty() && state_ != State::kClosing; ++handled) {
    if (in_flight_ >= static_cast<size_t>(node_.config().max_in_flight)) break;  // an answer pumps again
    // Who asks for much at once reads no slower for it: further answers wait until OnWritable.
    if (Unread(4) && !input_ended_) break;
    if (handled == kFramesPerPump) return SchedulePump();
    if (!TakeNext()) return;
  }
  UpdateReading();
  AnswerEnd();
}

bool Session::TakeNext() {
  auto [payload, binary] = std::move(inbound_.front());
  inbound_.pop_front();
  inbound_bytes_ -= payload.size();
  if (binary != (encoding_ == protocol::Encoding::kMsgpack)) {
    CloseWith(CloseCode::kWrongKind, "wrong kind of frame");
    return false;
  }
  protocol::DecodeLimits limits;
  limits.max_bytes = static_cast<size_t>(node_.config().max_frame_bytes);
  protocol::Request request;
  if (const auto fault = protocol::ParseRequest(encoding_, std::move(payload), limits, &request)) {
    CloseWith(fault->close, fault->why);
    return false;
  }
  if (!Admit(request)) return false;
  Handle(std::move(request));
  return true;
}

// Bounded like what a session has in flight: reading stops there.
void Session::WorkOff() {
  while (!inbound_.empty() && state_ != State::kClosing) {
    if (!TakeNext()) break;
  }
}

void Session::AnswerEnd() {
  if (!input_ended_ || !inbound_.empty() || in_flight_ > 0 || !connection_ || state_ == State::kClosing)
    return;
  state_ = State::kClosing;
  connection_->AnswerEnd();
}

// Too many unanswered requests, or too large ones: the server stops reading until it has caught up.
void Session::UpdateReading() {
  if (!connection_) return;
  const auto max = static_cast<size_t>(node_.config().max_in_flight);
  const bool full = in_flight_ + inbound_.size() >= max ||
                    inbound_bytes_ >= static_cast<size_t>(node_.config().max_frame_bytes);
  if (full == reading_paused_) return;
  reading_paused_ = full;
  connection_->PauseReading(full);
}

bool Session::Admit(const protocol::Request& request) {
  if (request.id && !outstanding_.insert(*request.id).second) {
    CloseWith(CloseCode::kMisuse, "this id is still outstanding");
    return false;
  }
  ++in_flight_;
  probe_.requests.Add();
  return true;
}

void Session::Handle(protocol::Request request) {
  if (!authenticated_) return HandleFirst(request);
  const protocol::Value& args = request.args && !request.args->is_null() ? *request.args : kNoArgs;
  lane_.ephemera().Touch(tenant(), user());
  if (request.unknown) return Finish(request.id, protocol::UnknownField(*request.unknown));
  const OpInfo* op = FindOp(request.op);
  if (!op) return Finish(request.id, Error(ErrorCode::kUnknownOp, "no such op"));
  if (op->kind != protocol::OpKind::kWrite && IsUnheard()) return Forgo(request.id);
  if (op->kind == protocol::OpKind::kSession) {
    const bool looks = identity_->caller.is_staff() && request.op == protocol::ThreadOpen::kName;
    return looks ? OpenAsStaff(std::move(request)) : Finish(request.id, Own(request.op, args));
  }
  if (op->awaits_projection) return ReadIndex(std::move(request));
  Route(lane_, request.op, identity_->caller, args,
        [weak = weak_from_this(), id = request.id](Answer answer) {
          if (auto self = weak.lock()) self->Finish(id, std::move(answer));
        });
}

// Who opens a thread as staff looks into it, which is recorded before he sees anything.
void Session::OpenAsStaff(protocol::Request request) {
  const auto held = std::make_shared<protocol::Request>(std::move(request));
  const auto args_of = [](const protocol::Request& one) -> const protocol::Value& {
    return one.args && !one.args->is_null() ? *one.args : kNoArgs;
  };
  protocol::ThreadOpen::Args open;
  if (auto bound = protocol::Bind(args_of(*held), &open); !bound.ok())
    return Finish(held->id, std::move(bound.error()));
  RecordLook(lane_, identity_->caller, open.thread_id, protocol::ThreadOpen::kName,
             [weak = weak_from_this(), held, args_of](Answer recorded) {
               const auto self = weak.lock();
               if (!self || !self->authenticated_) return;
               self->Finish(held->id,
                            recorded.ok() ? self->Own(held->op, args_of(*held)) : std::move(recorded));
             });
}

void Session::ReadIndex(protocol::Request request) {
  if (reading_index_) {
    index_reads_.push_back(std::move(request));  // bounded by max_in_flight
    return;
  }
  reading_index_ = true;
  const protocol::Value& args = request.args && !request.args->is_null() ? *request.args : kNoArgs;
  Route(lane_, request.op, identity_->caller, args,
        [weak = weak_from_this(), id = request.id](Answer answer) {
          if (auto self = weak.lock()) self->FinishIndexRead(id, std::move(answer));
        });
}

void Session::FinishIndexRead(std::optional<uint32_t> id, Answer answer) {
  reading_index_ = false;
  Finish(id, std::move(answer));
  const std::vector<SharedFramePtr> held = std::exchange(held_, {});
  held_bytes_ = 0;
  for (const SharedFramePtr& frame : held) SendFrame(frame);
  if (state_ == State::kResuming) StepCatchUp();
  if (index_reads_.empty() || state_ == State::kClosing) return;
  protocol::Request next = std::move(index_reads_.front());
  index_reads_.pop_front();
  ReadIndex(std::move(next));
}

// Before the hello nothing else is heard; whatever is refused here ends the session.
void Session::HandleFirst(const protocol::Request& request) {
  const protocol::Value& value = request.args && !request.args->is_null() ? *request.args : kNoArgs;
  Answer answer = Error(ErrorCode::kUnauthenticated, "session.hello must be the first request");
  protocol::SessionHello::Args args;
  if (request.op == protocol::SessionHello::kName) {
    auto bound = request.unknown ? protocol::Status(protocol::UnknownField(*request.unknown))
                                 : protocol::Bind(value, &args);
    answer = bound.ok() ? Hello(args) : Answer(std::move(bound.error()));
  }
  const bool ok = answer.ok();
  Finish(request.id, std::move(answer));
  if (!ok) return CloseWith(CloseCode::kUnauthenticated, "hello refused");
  // The reply is on its way; from here on events may follow it.
  lane_.hub().Add(this);
  lane_.ephemera().Touch(tenant(), user());
  for (const auto& [thread, seq] : catch_up_.left()) LeaveByRows(thread);
  for (const protocol::ThreadId& thread : catch_up_.looks()) LookAgain(thread);
  if (state_ == State::kResuming) StepCatchUp();
}

// --- output

void Session::Finish(std::optional<uint32_t> id, Answer answer) {
  std::string corr_id;
  if (!answer.ok()) {
    probe_.errors.Add();
    corr_id = node_.errors().Note(answer.error(), id_);
  }
  if (id && !IsUnheard()) {
    SendMsgpack(answer.ok() ? protocol::OkReply(*id, *answer)
                            : protocol::ErrorReply(*id, answer.error(), corr_id));
  }
  Forgo(id);
}

void Session::Forgo(std::optional<uint32_t> id) {
  --in_flight_;
  if (id) outstanding_.erase(*id);
  UpdateReading();
  if (!inbound_.empty()) SchedulePump();
  AnswerEnd();
}

SharedFramePtr Session::Encode(std::string msgpack) const {
  const bool json = encoding_ == protocol::Encoding::kJson;
  return MakeFrame(json ? protocol::MsgpackToJson(msgpack) : msgpack, !json, node_.readers());
}

void Session::SendMsgpack(std::string msgpack) {
  if (connection_ && state_ != State::kClosing) SendFrame(Encode(std::move(msgpack)));
}

void Session::SendEvent(std::string msgpack) {
  if (connection_ && state_ != State::kClosing) SendEvent(Encode(std::move(msgpack)));
}

void Session::SendEvent(const SharedFramePtr& frame) {
  if (input_ended_) return;  // it said goodbye; where it comes back it resumes
  if (!reading_index_) return SendFrame(frame);
  held_.push_back(frame);
  held_bytes_ += FrameBytes(*frame);
  if (Unread(2)) CloseWith(CloseCode::kTooSlow, "too much to hold");  // the other half is for the reply
}

void Session::SendFrame(const SharedFramePtr& frame) {
  if (!connection_ || state_ == State::kClosing) return;
  // No answer is larger than half of an outbox (options.cc): what does not fit is the reader's fault.
  const size_t unread = connection_->BufferedBytes();
  if (unread + FrameBytes(*frame) > static_cast<size_t>(node_.config().outbox_bytes)) {
    return CloseWith(CloseCode::kTooSlow, "the client reads too slowly");
  }
  connection_->Send(frame);
}

bool Session::Unread(size_t part) const {
  return connection_ &&
         connection_->BufferedBytes() + held_bytes_ > static_cast<size_t>(node_.config().outbox_bytes) / part;
}

void Session::CloseWith(CloseCode code, std::string_view why, Reason reason) {
  if (state_ == State::kClosing) return;
  state_ = State::kClosing;
  probe_.ClosedFor(code).Add();
  protocol::Log(LogLevel::kDebug, "gateway", "session closes",
                {{"session", id_}, {"code", static_cast<int>(code)}, {"why", why}});
  inbound_.clear();
  if (connection_) {
    connection_->Close(static_cast<uint16_t>(code),
                       std::string(reason == Reason::kAsSaid ? why : protocol::Describe(code).reason),
                       code == CloseCode::kTooSlow);
  }
}

void Session::AnnounceDrain() {
  if (authenticated_) SendMsgpack(protocol::SessionDrainingEvent(node_.config().reconnect_within_ms));
}

// --- from the fan-out

bool Session::CoversInFull(const protocol::ThreadId& thread) const {
  return deliver_ == protocol::DeliverMode::kAll || opened_.contains(thread) || catch_up_.Resumed(thread);
}

void Session::OnRun(fanout::LiveRun& run) {
  if (run.looked_at && !MayLook(run.thread)) return;
  if (!run.removes && !catch_up_.Concerns(run.thread)) {
    if (CoversInFull(run.thread)) SendEvent(AsFrame(run.joined.Frame(encoding_)));
    return;
  }
  for (fanout::LiveEvent& event : run.events) OnEvent(run.thread, event);
}

void Session::OnEvent(const protocol::ThreadId& thread, fanout::LiveEvent& event) {
  if (catch_up_.LeftBefore(thread, event.seq)) return;
  const bool own_removal =
      event.kind == EventKind::kParticipantRemoved && event.participant && *event.participant == user();
  const bool shared = event.seq > 0;
  const bool catching_up = shared && catch_up_.Covers(thread);
  // Nothing later reaches him, what the thread's openers hear of typing and presence included; also when rows
  // told him of it before this event came. Who was added again meanwhile has missed nothing that ends.
  if (own_removal && !IsMember(thread)) {
    StopListening(thread);
    if (!catching_up) catch_up_.Forget(thread);
  }
  if (shared && !catching_up && catch_up_.ToldAlready(thread, event.seq)) return;
  if (!catching_up && (CoversInFull(thread) || own_removal))
    SendEvent(AsFrame(event.payload.Frame(encoding_)));
}

bool Session::IsMember(const protocol::ThreadId& thread) const {
  const storage::Snapshot snapshot = node_.table().NewSnapshot();
  const auto me = threads::RowReader(*snapshot, tenant()).Participant(thread, user());
  return me.ok() && *me && (*me)->active();
}

bool Session::MayLook(const protocol::ThreadId& thread) {
  if (identity_->caller.is_staff() && !identity_->caller.by_case) return true;
  const auto view = lane_.View();
  const threads::ReadContext context{*view, identity_->caller, node_.cursors(), node_.clock().Now()};
  if (threads::StandingOf(context, thread).ok()) return true;
  StopListening(thread);
  catch_up_.Forget(thread);
  return false;
}

// What is not recorded is not shown: catch-up of the thread waits for it.
void Session::LookAgain(const protocol::ThreadId& thread) {
  RecordLook(lane_, identity_->caller, thread, protocol::SessionHello::kName,
             [weak = weak_from_this(), thread](const Answer& recorded) {
               const auto self = weak.lock();
               if (!self || !self->authenticated_ || self->state_ != State::kResuming) return;
               const bool lost = !recorded.ok() && recorded.error().code != ErrorCode::kThreadNotMember;
               if (lost) return self->CloseWith(CloseCode::kInternal, "a look could not be recorded");
               if (recorded.ok()) self->lane_.hub().Look(self.get(), thread);
               self->catch_up_.Release(thread);
               self->StepCatchUp();
             });
}

void Session::StopListening(const protocol::ThreadId& thread) {
  opened_.erase(thread);
  lane_.hub().CloseThread(this, thread);
  if (lane_.hub().Openers(tenant(), thread).empty()) lane_.ephemera().Unwatch(tenant(), thread);
}

void Session::LeaveByRows(const protocol::ThreadId& thread) {
  StopListening(thread);
  const auto left = catch_up_.left().find(thread);
  if (left == catch_up_.left().end()) return;
  // The snapshot that told it is older than this.
  lane_.hub().NoteRemoved(*this, thread, left->second, node_.table().LastPosition());
}

void Session::OnEntry(const fanout::EntryNotice& notice, fanout::SharedPayload& payload) {
  if (notice.announced || !CoversInFull(notice.thread)) SendEvent(AsFrame(payload.Frame(encoding_)));
}

void Session::OnEphemeral(const protocol::ThreadId&, fanout::SharedPayload& payload) {
  // The first to go under load: a session whose outbox fills up can do without.
  if (Unread(4)) return;
  SendEvent(AsFrame(payload.Frame(encoding_)));
}

// One page at a time, and only while the client reads: catch-up itself never overflows the outbox.
void Session::StepCatchUp() {
  if (catch_up_posted_ || state_ != State::kResuming || !connection_ || catch_up_.waits()) return;
  if (Unread(8)) return;  // OnWritable goes on
  if (!lane_.MakeRoom()) {
    catch_up_timer_ = lane_.loop().CallAfter(kRetryMs, [weak = weak_from_this()] {
      if (auto self = weak.lock()) self->StepCatchUp();
    });
    return;
  }
  catch_up_posted_ = true;
  lane_.loop().Post([weak = weak_from_this()] {
    auto self = weak.lock();
    if (!self) return;
    self->catch_up_posted_ = false;
    if (self->state_ != State::kResuming) return;
    const bool sound = self->catch_up_.Step(
        self->node_, self->identity_->caller,
        [&](std::string event) {
          self->SendEvent(std::move(event));
          return self->state_ == State::kResuming && !self->Unread(8);
        },
        [&](const protocol::ThreadId& thread) { self->LeaveByRows(thread); });
    if (!sound) return self->CloseWith(CloseCode::kInternal, "catch-up failed");
    if (self->state_ != State::kResuming) return;
    if (self->catch_up_.done()) {
      self->state_ = State::kLive;
    } else {
      self->StepCatchUp();
    }
  });
}

// --- time

// Looks again when a ping falls due, or, after the ping, when the end does.
void Session::ArmHeartbeat() {
  const int64_t heartbeat_ms = node_.config().heartbeat_ms;
  const int64_t silent_ms = node_.clock().MonotonicMs() - last_heard_ms_;
  const int64_t due_ms = silent_ms < heartbeat_ms ? heartbeat_ms : 2 * heartbeat_ms;
  heartbeat_ = lane_.loop().CallAfter(due_ms - silent_ms, [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->OnHeartbeat();
  });
}

void Session::OnHeartbeat() {
  if (!connection_ || state_ == State::kClosing) return;
  const int64_t silent_ms = node_.clock().MonotonicMs() - last_heard_ms_;
  if (silent_ms >= 2 * node_.config().heartbeat_ms)
    return CloseWith(CloseCode::kDraining, "nothing heard for two heartbeats", Reason::kAsSaid);
  if (silent_ms >= node_.config().heartbeat_ms) connection_->Ping();
  ArmHeartbeat();
}

// Fires at the notice first, then at the end.
void Session::ArmExpiry() {
  if (!identity_->expires_at) return;
  const int64_t left_ms = identity_->expires_at->ms - node_.clock().Now().ms;
  const int64_t wait_ms = expiry_announced_ ? left_ms : left_ms - kExpiringNoticeMs;
  constexpr int64_t kLongestWaitMs = 24 * 3600 * 1000;  // then look again
  expiry_ =
      lane_.loop().CallAfter(std::clamp<int64_t>(wait_ms, 0, kLongestWaitMs), [weak = weak_from_this()] {
        if (auto self = weak.lock()) self->OnExpiry();
      });
}

void Session::OnExpiry() {
  const int64_t left_ms = identity_->expires_at->ms - node_.clock().Now().ms;
  if (left_ms <= 0) return CloseWith(CloseCode::kUnauthenticated, "the token expired");
  if (!expiry_announced_ && left_ms <= kExpiringNoticeMs) {
    expiry_announced_ = true;
    SendMsgpack(protocol::SessionExpiringEvent(*identity_->expires_at));
  }
  ArmExpiry();
}

}  // namespace parley::gateway
