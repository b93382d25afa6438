// Confines a demo, which gives anybody a token, to its own machine.
//
// Listening on loopback is half of it. Any web page may have the browser of the person who runs the demo
// request http://evil.example, and let that name resolve to 127.0.0.1 a moment later (DNS rebinding): the
// browser takes the answer for the page's own. Such a request names the requested host in its Host line and
// the page in its Origin; both must be this machine's.
//
// Thread contract: any thread. ResolveLoopback may use the network and is only for start-up.
#pragma once

#include <string>
#include <string_view>

#include "gateway/net/transport.h"

namespace parley::gateway {

// "localhost", an address in 127.0.0.0/8 or "[::1]", with or without a port.
bool NamesThisMachine(std::string_view host_and_port);

// Its Host is this machine's, and so is its Origin if it has one.
bool IsFromThisMachine(const HttpRequest& request);

// Resolves the host of a listen address. Empty on success; listen on `address`, so that the name is not
// looked up again. Otherwise a sentence that says why not: every address that the name resolves to must be
// loopback.
std::string ResolveLoopback(const std::string& host, std::string* address);

}  // namespace parley::gateway
