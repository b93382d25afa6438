// The generator's half of TLS, directly on OpenSSL: calls as send() and recv() are, so that what uses a
// socket needs no second path. The poller's thread.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>

typedef struct ssl_ctx_st SSL_CTX;  // as OpenSSL declares them
typedef struct ssl_st SSL;

namespace parley::bench {

// Whom to trust. Shared by all connections; lives at least as long as they do.
class TlsClient {
 public:
  // `ca_file`: PEM with the authorities to trust; empty: the system's. `insecure`: whoever answers is
  // trusted. Null, and a sentence in `error`, when the file cannot be used.
  static std::shared_ptr<const TlsClient> Make(bool insecure, const std::string& ca_file, std::string* error);
  ~TlsClient();
  TlsClient(const TlsClient&) = delete;
  TlsClient& operator=(const TlsClient&) = delete;
  SSL_CTX* get() const { return context_; }
  bool insecure() const { return insecure_; }

 private:
  explicit TlsClient(bool insecure);
  SSL_CTX* const context_;
  const bool insecure_;
};

// On a socket that is or will be connected, blocking or not. The handshake is done by the first calls.
class TlsSession {
 public:
  TlsSession(const TlsClient& client, int descriptor, const std::string& host);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // As send() and recv(): -1 with EAGAIN in errno when the socket must be awaited, with EPROTO when it is of
  // no use any more. Recv gives at most a record: to be repeated until EAGAIN, since epoll knows nothing of
  // what OpenSSL holds.
  ssize_t Send(const char* data, size_t size);
  ssize_t Recv(char* data, size_t size);
  // The last call waits for bytes of the server, whichever of the two it was.
  bool awaits_peer() const { return awaits_peer_; }
  const std::string& fault() const { return fault_; }  // why it is of no use

 private:
  ssize_t Outcome(int result);
  SSL* const ssl_;
  bool awaits_peer_ = false;
  std::string fault_;
};

}  // namespace parley::bench
