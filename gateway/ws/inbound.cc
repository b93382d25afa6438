#include "gateway/ws/inbound.h"

#include "gateway/ws/requests.h"
#include "gateway/ws/session_pieces.h"
#include "protocol/compact.h"

namespace parley::gateway {

using protocol::CloseCode;
using protocol::ErrorCode;

namespace {

constexpr size_t kFramesPerPump = 64;  // then other sessions have their turn

}  // namespace

void Inbound::Take(std::string payload, bool binary) {
  queue_bytes_ += payload.size();
  queue_.emplace_back(std::move(payload), binary);
  UpdateReading();
  SchedulePump();
}

void Inbound::SchedulePump() {
  if (pump_posted_) return;
  pump_posted_ = true;
  s_.io.PumpSoon(s_.Share<Pumped>(this));
}

void Inbound::PumpIfQueued() {
  if (!queue_.empty()) SchedulePump();
}

void Inbound::Pump() {
  pump_posted_ = false;
  for (size_t handled = 0; !queue_.empty() && !s_.closing(); ++handled) {
    if (in_flight_ >= static_cast<size_t>(s_.config().max_in_flight)) break;  // the next answer pumps again
    if (s_.handshake.under_way()) break;  // and so does the reply to the hello
    // Many requests at once do not make a client too slow: further answers wait until OnWritable.
    if (s_.out.HasBacklog(4) && !s_.input_ended) break;
    if (handled == kFramesPerPump) return SchedulePump();
    if (!TakeNext()) return;
  }
  UpdateReading();
  AnswerEnd();
}

bool Inbound::TakeNext() {
  auto [payload, binary] = std::move(queue_.front());
  queue_.pop_front();
  const size_t bytes = payload.size();
  queue_bytes_ -= bytes;
  if (binary != (s_.encoding == protocol::Encoding::kMsgpack)) {
    s_.CloseWith(CloseCode::kWrongKind, "wrong kind of frame");
    return false;
  }
  protocol::DecodeLimits limits;
  limits.max_bytes = static_cast<size_t>(s_.config().max_frame_bytes);
  WsRequest request;
  if (const auto fault = protocol::ParseRequest(s_.encoding, std::move(payload), limits, &request)) {
    s_.CloseWith(fault->close, fault->why);
    return false;
  }
  request.info = FindOp(request.op);
  request.mark = OpMeter::Begin(request.info ? request.info->index : OpMeter::kUnknown);
  if (s_.node().tracer().on()) request.trace = BeginTrace(s_, request, bytes);
  if (!Admit(request)) return false;
  HandleRequest(s_, std::move(request));
  return true;
}

// Bounded, since reading stops at the limit of requests in flight.
void Inbound::HandleRest() {
  while (!queue_.empty() && !s_.closing() && !s_.handshake.checking()) {
    if (!TakeNext()) break;
  }
}

void Inbound::AnswerEnd() {
  if (!s_.input_ended || !queue_.empty() || in_flight_ > 0 || !s_.connection || s_.closing()) return;
  s_.state = SessionCore::State::kClosing;
  s_.connection->AnswerEnd();
}

void Inbound::UpdateReading() {
  if (!s_.connection) return;
  const auto max = static_cast<size_t>(s_.config().max_in_flight);
  const bool full =
      in_flight_ + queue_.size() >= max || queue_bytes_ >= static_cast<size_t>(s_.config().max_frame_bytes);
  if (full == reading_paused_) return;
  reading_paused_ = full;
  s_.connection->PauseReading(full);
}

bool Inbound::Admit(const WsRequest& request) {
  if (request.id && !outstanding_.insert(*request.id).second) {
    s_.CloseWith(CloseCode::kMisuse, "this id is still outstanding");
    return false;
  }
  ++in_flight_;
  s_.probe.requests.Add();
  return true;
}

void Inbound::Finish(const Ticket& ticket, Answer answer) {
  s_.io.ops().socket.Note(ticket.mark, answer.ok() ? std::nullopt : std::optional(answer.error().code));
  std::string corr_id = ticket.trace ? ticket.trace->corr_id : "";
  if (!answer.ok()) {
    s_.probe.errors.Add();
    corr_id = s_.node().errors().Note(answer.error(), s_.id, std::move(corr_id));
    if (answer.error().code == ErrorCode::kRateLimited) s_.limits.NoteRefused(answer.error());
  }
  if (s_.config().access_log_ops) LogOp(ticket, answer, s_.id, corr_id);
  if (ticket.trace) LogAnswered(*ticket.trace, answer);
  if (ticket.id && s_.out.CanAnswer()) {
    if (answer.ok() && s_.compact && ticket.pages) answer = protocol::Compact(*ticket.pages, *answer);
    answer.ok() ? s_.out.SendOk(*ticket.id, std::move(*answer))
                : s_.out.SendMsgpack(protocol::ErrorReply(*ticket.id, answer.error(), corr_id));
  }
  Settle(ticket);
}

Done Inbound::Finisher(const Ticket& ticket) {
  return [this, weak = s_.weak_from_this(), ticket](Answer answer) {
    if (const auto session = weak.lock()) Finish(ticket, std::move(answer));
  };
}

void Inbound::Settle(const Ticket& ticket) {
  --in_flight_;
  if (ticket.id) outstanding_.erase(*ticket.id);
  UpdateReading();
  PumpIfQueued();
  AnswerEnd();
}

}  // namespace parley::gateway
