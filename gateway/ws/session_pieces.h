// Lists the pieces of a session. Each owns its data; they call each other's public functions.
#pragma once

#include "gateway/ws/delivery.h"
#include "gateway/ws/handshake.h"
#include "gateway/ws/inbound.h"
#include "gateway/ws/open_threads.h"
#include "gateway/ws/outbound.h"
#include "gateway/ws/read_turns.h"
#include "gateway/ws/request_limits.h"
#include "gateway/ws/resumption.h"
#include "gateway/ws/session_core.h"
#include "gateway/ws/session_timers.h"

namespace parley::gateway {

struct SessionPieces : SessionCore {
  SessionPieces(IoThread& io_thread, SessionProbe& session_probe, protocol::Encoding wire_encoding,
                Visitor visitor)
      : SessionCore(io_thread, session_probe, wire_encoding),
        out(*this),
        delivery(*this),
        resumption(*this),
        threads(*this),
        turns(*this),
        inbound(*this),
        limits(*this),
        handshake(*this, std::move(visitor)),
        timers(*this) {}

  Outbound out;
  Delivery delivery;
  Resumption resumption;
  OpenThreads threads;
  ReadTurns turns;
  Inbound inbound;
  RequestLimits limits;
  Handshake handshake;
  SessionTimers timers;
};

}  // namespace parley::gateway
