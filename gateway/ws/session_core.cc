#include "gateway/ws/session_core.h"

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/base/log.h"

namespace parley::gateway {

SessionCore::SessionCore(IoThread& io_thread, SessionProbe& session_probe, protocol::Encoding wire_encoding)
    : io(io_thread),
      encoding(wire_encoding),
      probe(session_probe),
      id("ses_" + protocol::Base64Url(protocol::RandomBytes(12))) {}

void SessionCore::CloseWith(protocol::CloseCode code, std::string_view why, Reason reason) {
  if (state == State::kClosing) return;
  state = State::kClosing;
  probe.ClosedFor(code).Add();
  protocol::Log(protocol::LogLevel::kDebug, "gateway", "session closes",
                {{"session", id}, {"code", static_cast<int>(code)}, {"why", why}});
  OnClosing();
  if (connection) {
    connection->Close(static_cast<uint16_t>(code),
                      std::string(reason == Reason::kAsSaid ? why : protocol::Describe(code).reason),
                      code == protocol::CloseCode::kTooSlow);
  }
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
