// Confines a demo, which issues tokens to anyone, to its own machine.
//
// Listening on loopback is not enough. Any web page may make the browser of the person who runs the demo
// request http://evil.example, and then let that name resolve to 127.0.0.1 (DNS rebinding): the browser
// treats the answer as the page's own. Such a request has the attacker's name in Host, and its page in
// Origin; both must name this machine.
//
// Thread contract: any thread. ResolveLoopback may use the network; call it only at start.
#pragma once

#include <string>
#include <string_view>

#include "gateway/net/transport.h"

namespace parley::gateway {

// Accepts "localhost", an address in 127.0.0.0/8 or "[::1]", with or without a port.
bool NamesThisMachine(std::string_view host_and_port);

// Returns true if Host names this machine, and Origin too if present.
bool IsFromThisMachine(const HttpRequest& request);

// Resolves the host of a listen address. Returns "" on success; listen on `address`, so that the name is not
// resolved again. Otherwise returns the reason: every address of the name must be loopback.
std::string ResolveLoopback(const std::string& host, std::string* address);

}  // namespace parley::gateway
