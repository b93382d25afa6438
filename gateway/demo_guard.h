// What keeps a demo, which gives anybody a token, to its own machine.
//
// Listening on loopback is half of it. A web page from anywhere may ask the browser of whoever runs the demo
// for http://evil.example, and have that name stand for 127.0.0.1 a moment later (DNS rebinding): the browser
// takes the answer for the page's own. Such a request says in its Host line which name was asked for, and in
// its Origin who asks; both must be of this machine.
//
// Thread contract: any thread. ResolveLoopback may ask the network and is for the start only.
#pragma once

#include <string>
#include <string_view>

#include "gateway/net/transport.h"

namespace parley::gateway {

// "localhost", an address of 127.0.0.0/8 or "[::1]", with a port or without.
bool NamesThisMachine(std::string_view host_and_port);

// Its Host is this machine's, and so is its Origin where it has one.
bool IsFromThisMachine(const HttpRequest& request);

// Resolves the host of a listen address. Empty on success, and `address` is where to listen: the name is not
// looked up again. Else why not, as a sentence: every address that the name stands for must be loopback.
std::string ResolveLoopback(const std::string& host, std::string* address);

}  // namespace parley::gateway
