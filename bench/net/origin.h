// A server as the bench reaches it: its address, its name, and whether it uses TLS.
#pragma once

#include <netinet/in.h>

#include <memory>
#include <optional>
#include <string>

#include "bench/net/tls_client.h"

namespace parley::bench {

struct Origin {
  Origin() = default;
  Origin(const sockaddr_in& where) : address(where) {}  // NOLINT: a plain server of the bench itself
  sockaddr_in address{};
  std::string host = "localhost";        // for the Host header and the certificate
  std::shared_ptr<const TlsClient> tls;  // null: no TLS
};

struct OriginWish {
  std::string server;  // host:port, or a URL with ws, wss, http or https and no path
  bool insecure = false;
  std::string ca_file;
};
// Resolves the name (IPv4). Returns nullopt, with a message in `error`: not an address, an unknown name, a
// file without certificates, or trust options for a server without TLS.
std::optional<Origin> FindOrigin(const OriginWish& wish, std::string* error);

}  // namespace parley::bench
