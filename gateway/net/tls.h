// TLS over a non-blocking socket, directly on OpenSSL: the transport waits for readiness itself, so there is
// no stream wrapper and no buffer per direction (records are released between uses: an idle TLS connection
// keeps none).
//
// TLS 1.2 and 1.3, ciphers with forward secrecy only, no renegotiation, no compression; clients keep their
// sessions, the server keeps none (tls_tickets.h). A context is shared by all transports; a stream belongs to
// one socket on the loop's thread and keeps the context that it began with.
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
  // Reads PEM files; null and a sentence for a person in `error` when they cannot be used: the key's also
  // when anybody but its owner may read or change it.
  static std::shared_ptr<TlsContext> Load(const std::string& certificate, const std::string& key,
                                          std::string* error);
  SSL_CTX* get() const { return context_.get(); }
  int64_t expires_s() const { return expires_s_; }  // the certificate, in Unix time

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
  // Null when OpenSSL cannot take another connection.
  static std::unique_ptr<TlsStream> Accept(std::shared_ptr<TlsContext> context, int descriptor);

  IoResult Handshake();
  IoResult Read(char* data, size_t size);
  // Takes over up to one record's worth of bytes and writes what the socket accepts; `bytes` is the number
  // taken over. Bytes taken but not yet written count as pending(): OpenSSL requires that an interrupted
  // write is repeated with the same bytes.
  IoResult Write(const iovec* vectors, int count);
  IoResult FlushPending();
  size_t pending() const { return pending_.size() - pending_done_; }
  void SendCloseNotify();

 private:
  IoResult Outcome(int result);

  struct Free {
    void operator()(SSL* ssl) const { SSL_free(ssl); }
  };
  std::shared_ptr<TlsContext> context_;  // holds the tickets' keys
  std::unique_ptr<SSL, Free> ssl_;
  std::string pending_;
  size_t pending_done_ = 0;
};

}  // namespace parley::gateway
