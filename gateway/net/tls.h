// Speaks TLS over a non-blocking socket, directly on OpenSSL: the transport waits for readiness itself, so
// there is no stream wrapper and no buffer per direction (an idle TLS connection keeps no record buffers).
//
// TLS 1.2 and 1.3, ciphers with forward secrecy only, no renegotiation, no compression. Clients keep their
// sessions, the server keeps none (tls_tickets.h). All transports share a context; a stream belongs to one
// socket on the loop's thread and keeps the context that it began with.
#pragma once

#include <openssl/ssl.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "gateway/net/tls_tickets.h"

namespace parley::gateway {

enum class IoStatus { kOk, kWantRead, kWantWrite, kEnd, kFailed };
struct IoResult {
  IoStatus status;
  size_t bytes = 0;
};

class TlsContext {
 public:
  // Reads PEM files. Returns null, and a sentence for a person in `error`, if they cannot be used, or if
  // other users may read or change the key.
  static std::shared_ptr<TlsContext> Load(const std::string& certificate, const std::string& key,
                                          std::string* error);
  SSL_CTX* get() const { return context_.get(); }
  int64_t expires_s() const { return expires_s_; }  // when the certificate expires, in Unix time

 private:
  std::string Configure();
  std::string UseCertificate(const std::string& path);
  std::string UseKey(const std::string& path);

  struct Free {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  };
  TlsTickets tickets_;
  std::unique_ptr<SSL_CTX, Free> context_;
  int64_t expires_s_ = 0;
};

class TlsStream {
 public:
  // Returns null if OpenSSL cannot create a stream.
  static std::unique_ptr<TlsStream> Accept(std::shared_ptr<TlsContext> context, int descriptor);

  IoResult Handshake();
  IoResult Read(char* data, size_t size);
  // Takes up to one record of bytes and writes as many as the socket accepts; `bytes` is the number taken.
  // Bytes taken but not yet written count as pending(): OpenSSL requires that an interrupted write is
  // repeated with the same bytes.
  IoResult Write(const iovec* vectors, int count);
  IoResult FlushPending();
  size_t pending() const { return pending_.size() - pending_done_; }
  void SendCloseNotify();

 private:
  IoResult Outcome(int result);

  struct Free {
    void operator()(SSL* ssl) const { SSL_free(ssl); }
  };
  std::shared_ptr<TlsContext> context_;  // owns the tickets' keys
  std::unique_ptr<SSL, Free> ssl_;
  std::string pending_;
  size_t pending_done_ = 0;
};

}  // namespace parley::gateway
