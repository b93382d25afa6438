// Checks a request for an upgrade, and makes the handshake that websocketpp reads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/net/transport.h"

namespace parley::gateway {

// Returns 0, or the status of the refusal: only a complete handshake of version 13 is accepted (RFC 6455
// §4.2.1).
int CheckUpgrade(const HttpRequestHead& head);

// Returns the names in a Sec-WebSocket-Protocol line, or nullopt if it is no list of names.
std::optional<std::vector<std::string>> OfferedSubprotocols(const HttpRequestHead& head);

// Makes a minimal handshake with this key for websocketpp. It never sees the peer's own headers, so it cannot
// read them differently and keeps none of them.
std::string PlainHandshake(std::string_view key, const std::string& subprotocol);

}  // namespace parley::gateway
