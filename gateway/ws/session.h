// A session: one WebSocket from its first frame to its last, as a plain state machine over a Connection.
//
//   Opening ──OnOpen──▶ Authenticating ──session.hello──▶ Resuming ──caught up──▶ Live
//      any state ──fault, close, drain──▶ Closing
//
// If the peer closes first, its pending requests are carried out and answered before the close is answered: a
// client that sends, closes at once and sees a clean close knows that nothing was lost. If the connection
// breaks before that, received requests are still carried out, without answers.
//
// Its pieces are listed in session_pieces.h.
//
// Thread contract: the loop's thread. Owned by shared_ptr (session_core.h).
#pragma once

#include <string>

#include "gateway/app/revocation.h"
#include "gateway/net/transport.h"
#include "gateway/ws/session_pieces.h"

namespace parley::gateway {

class Session final : public SessionPieces {
 public:
  Session(IoThread& io_thread, SessionProbe& session_probe, protocol::Encoding wire_encoding,
          Visitor visitor);

  // From the transport.
  void OnOpen(Connection* opened);
  void OnFrame(std::string payload, bool binary);
  void OnPong() { timers.NoteReceived(); }
  void OnWritable();
  void OnInputEnd();
  void OnTooSlow();
  void OnClosed();

  // Announces to the client that the server stops. CloseWith closes the sessions later, in waves.
  void AnnounceDrain();
  // Closes the session with the revocation's code, if it applies.
  void OnRevoked(const Revocation& revocation);
  // Returns true if no request is queued or unanswered.
  bool idle() const { return inbound.idle(); }

 private:
  void OnClosing() override;
  void WindUp() override;
};

}  // namespace parley::gateway
