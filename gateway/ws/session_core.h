// Holds the facts of one session that all of its pieces use, and closes the session.
//
// Thread contract: the loop's thread. Owned by shared_ptr, through Session: answers that arrive after the end
// find an expired weak_ptr.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fanout/hub.h"
#include "gateway/app/authenticator.h"
#include "gateway/app/config.h"
#include "gateway/app/io_thread.h"
#include "gateway/app/node.h"
#include "gateway/net/transport.h"
#include "protocol/base/clock.h"
#include "protocol/base/sure.h"
#include "protocol/frame.h"
#include "protocol/ops/session.h"

namespace parley::gateway {

// Counters over all sessions.
struct SessionProbe {
  explicit SessionProbe(protocol::Metrics& metrics);
  protocol::Counter opened, hellos, requests, errors, frames_in, resumed_threads;
  protocol::Counter ClosedFor(protocol::CloseCode code);

 private:
  std::vector<std::pair<protocol::CloseCode, protocol::Counter>> closed_;
};

// There are ten thousand sessions, so every byte counts (P7 in docs/performance.md). The members that each
// delivery reads come first, so that they are adjacent.
struct SessionCore : std::enable_shared_from_this<SessionCore> {
  enum class State : uint8_t { kOpening, kAuthenticating, kResuming, kLive, kClosing };
  // Selects the reason in the close frame: the text of the code, or `why` if it is more specific.
  enum class Reason : uint8_t { kOfCode, kAsSaid };

  SessionCore(IoThread& io_thread, SessionProbe& session_probe, protocol::Encoding wire_encoding);
  virtual ~SessionCore() = default;

  // Drops the input and sends a close frame, unless the session is closing already.
  void CloseWith(protocol::CloseCode code, std::string_view why, Reason reason = Reason::kOfCode);
  bool closing() const { return state == State::kClosing; }

  // REQUIRES (who, tenant, user): the client is authenticated.
  const Identity& who() const { return protocol::Sure(identity); }
  const protocol::TenantId& tenant() const { return who().caller.tenant; }
  const protocol::UserId& user() const { return protocol::Sure(who().caller.user); }
  fanout::Form form() const { return {encoding, compact}; }
  Node& node() const { return io.node(); }
  const protocol::Clock& clock() const { return node().clock(); }
  const Config& config() const { return node().config(); }
  // Returns a pointer to a piece that owns the whole session.
  template <class Piece>
  std::shared_ptr<Piece> Share(Piece* piece) {
    return {weak_from_this().lock(), piece};
  }

  // The session closes: drops the input and gives up reads.
  virtual void OnClosing() = 0;
  // The connection is gone: carries out the requests received before, as far as the caller is known, and ends
  // the session.
  virtual void WindUp() = 0;

  IoThread& io;
  Connection* connection = nullptr;  // nullptr: gone
  const protocol::Encoding encoding;
  State state = State::kOpening;
  protocol::DeliverMode deliver = protocol::DeliverMode::kAll;
  bool compact = false;  // omits from items the fields that the client can derive
  bool authenticated = false;
  bool input_ended = false;  // the peer sends no more
  bool winding_up = false;
  SessionProbe& probe;
  const std::string id;
  std::optional<Identity> identity;  // set by the handshake
};

}  // namespace parley::gateway
