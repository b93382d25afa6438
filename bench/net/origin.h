// A server as the bench reaches it: where it listens, what it is called, and whether it speaks TLS.
#pragma once

#include <netinet/in.h>

#include <memory>
#include <optional>
#include <string>

#include "bench/net/tls_client.h"

namespace parley::bench {

struct Origin {
  Origin() = default;
  Origin(const sockaddr_in& where) : address(where) {}  // NOLINT: a plain server of the bench's own
  sockaddr_in address{};
  std::string host = "localhost";        // of the Host header, and of the certificate
  std::shared_ptr<const TlsClient> tls;  // null: without
};

struct OriginWish {
  std::string server;  // host:port, or a URL with ws, wss, http or https and no path
  bool insecure = false;
  std::string ca_file;
};
// Resolves the name (IPv4). Nothing, and a sentence in `error`: not an address, an unknown name, a file that
// holds no certificates, or trust that is named for a server without TLS.
std::optional<Origin> FindOrigin(const OriginWish& wish, std::string* error);

}  // namespace parley::bench
