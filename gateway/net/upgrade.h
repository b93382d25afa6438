// From a request for an upgrade to the handshake that websocketpp is given.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/net/transport.h"

namespace parley::gateway {

// 0, or the status to refuse it with: only a whole handshake of version 13 is one (RFC 6455 §4.2.1).
int CheckUpgrade(const HttpRequestHead& head);

// The names in a Sec-WebSocket-Protocol line; nothing when it is no list of names.
std::optional<std::vector<std::string>> OfferedSubprotocols(const HttpRequestHead& head);

// The least that websocketpp accepts as a handshake with this key. It never sees a peer's own lines, so it
// cannot read them in another way than we do, and keeps none of them.
std::string PlainHandshake(std::string_view key, const std::string& subprotocol);

}  // namespace parley::gateway
