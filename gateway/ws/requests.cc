#include "gateway/ws/requests.h"

#include <memory>
#include <utility>

#include "features/host/access.h"
#include "gateway/ws/session_pieces.h"
#include "protocol/base/reason.h"
#include "protocol/ops/all.h"

namespace parley::gateway {
namespace {

using protocol::Error;
using protocol::ErrorCode;

// --- the session's own ops

void Run(SessionPieces&, const protocol::SessionHello::Args&, const Done& done,
         const protocol::SessionHello*) {
  done(Error::BadRequest("session.hello was already sent"));
}

void Run(SessionPieces& s, const protocol::SessionPing::Args&, const Done& done,
         const protocol::SessionPing*) {
  protocol::SessionPing::Reply reply;
  reply.server_time = s.clock().Now();
  done(protocol::Encode(reply));
}

void Run(SessionPieces& s, const protocol::SessionRefresh::Args& args, const Done& done,
         const protocol::SessionRefresh*) {
  s.handshake.Refresh(args, done);
}

void Run(SessionPieces& s, const protocol::ThreadOpen::Args& args, const Done& done,
         const protocol::ThreadOpen*) {
  s.threads.Open(args, done);
}

void Run(SessionPieces& s, const protocol::ThreadClose::Args& args, const Done& done,
         const protocol::ThreadClose*) {
  s.threads.Close(args.thread_id, done);
}

void Run(SessionPieces& s, const protocol::TypingSet::Args& args, const Done& done,
         const protocol::TypingSet*) {
  s.threads.SetTyping(args, done);
}

void RunOwn(SessionPieces& s, std::string_view op, const protocol::Value& value, const Done& done) {
  protocol::ForEachOp(protocol::CoreOps{}, [&]<class Op>() {
    if constexpr (Op::kKind == protocol::OpKind::kSession) {
      if (op != Op::kName) return;
      typename Op::Args args;
      if (auto bound = protocol::Bind(value, &args); !bound.ok()) return done(std::move(bound.error()));
      Run(s, args, done, static_cast<const Op*>(nullptr));
    }
  });
}

// When staff open a thread, the access is recorded before they see anything.
void OpenAsStaff(SessionPieces& s, WsRequest request) {
  const auto held = std::make_shared<WsRequest>(std::move(request));
  protocol::ThreadOpen::Args open;
  if (auto bound = protocol::Bind(held->args_or_empty(), &open); !bound.ok())
    return s.inbound.Finish(held->ticket(), std::move(bound.error()));
  RecordAccess(
      s.io, s.who().caller, open.thread_id, protocol::ThreadOpen::kName,
      [&s, weak = s.weak_from_this(), held](Answer recorded) {
        const auto session = weak.lock();
        if (!session || !s.authenticated) return;
        if (!recorded.ok()) return s.inbound.Finish(held->ticket(), std::move(recorded));
        RunOwn(s, held->op, held->args_or_empty(), s.inbound.Finisher(held->ticket()));
      },
      open.reason ? open.reason->value : std::string());
}

// --- other ops

// Repeats are answered and malformed requests reported whether or not a limit is reached.
void RefuseUnlessRepeat(SessionPieces& s, const WsRequest& request, const OpInfo& op, Error refusal) {
  const protocol::Value& args = request.args_or_empty();
  const bool is_session = op.kind == protocol::OpKind::kSession;
  auto sound = is_session ? protocol::Ok() : CheckArgs(request.op, args);
  if (!sound.ok()) return s.inbound.Finish(request.ticket(), std::move(sound.error()));
  const bool may_repeat = op.kind == protocol::OpKind::kWrite && op.takes_client_id;
  if (!may_repeat) return s.inbound.Finish(request.ticket(), std::move(refusal));
  RouteRepeat(s.io, request.op, s.who().caller, args, std::move(refusal),
              s.inbound.Finisher(request.ticket()), request.trace);
}

// Waits for the op's index, then reads.
void ReadIndex(SessionPieces& s, WsRequest request) {
  s.turns.InTurn([&s, held = std::make_shared<const WsRequest>(std::move(request))] {
    Route(
        s.io, held->op, s.who().caller, held->args_or_empty(), s.turns.road_in_turn(),
        [&s, weak = s.weak_from_this(), ticket = held->ticket()](Answer answer) {
          const auto session = weak.lock();
          if (session) s.turns.EndTurn([&] { s.inbound.Finish(ticket, std::move(answer)); });
        },
        held->trace);
  });
}

}  // namespace

void HandleRequest(SessionPieces& s, WsRequest request) {
  if (!s.authenticated) return s.handshake.Begin(request);
  if (s.timers.HasExpired()) {
    s.inbound.Finish(request.ticket(), Error(ErrorCode::kAuthExpired, "the token has expired"));
    return s.timers.CloseExpired();
  }
  s.io.ephemera().Touch(s.tenant(), s.user());
  auto refusal = s.limits.Charge(request.op);
  const auto refuse = [&](Error error) { s.inbound.Finish(request.ticket(), std::move(error)); };
  if (request.unknown) return refuse(protocol::UnknownField(*request.unknown));
  const OpInfo* op = request.info;
  if (!op) return refuse(Error(ErrorCode::kUnknownOp, "no such op"));
  const bool may = op->kind != protocol::OpKind::kWrite || !s.who().reads_only;
  if (refusal && may) return RefuseUnlessRepeat(s, request, *op, *std::move(refusal));
  if (op->kind != protocol::OpKind::kWrite && !s.out.CanAnswer()) return s.inbound.Settle(request.ticket());
  if (op->kind == protocol::OpKind::kSession) {
    if (s.who().caller.is_staff() && request.op == protocol::ThreadOpen::kName)
      return OpenAsStaff(s, std::move(request));
    return RunOwn(s, request.op, request.args_or_empty(), s.inbound.Finisher(request.ticket()));
  }
  if (!may) return refuse(ErrorFor(protocol::Reason::kReadsOnly, "the user may only read"));
  if (op->awaits_projection) return ReadIndex(s, std::move(request));
  Route(s.io, request.op, s.who().caller, request.args_or_empty(), s.turns.road(),
        s.limits.Charging(request.op, s.inbound.Finisher(request.ticket())), request.trace);
}

}  // namespace parley::gateway
